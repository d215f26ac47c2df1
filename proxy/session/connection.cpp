#include "proxy/session/connection.hpp"

#include <asio/buffer.hpp>
#include <asio/write.hpp>
#include <utility>

namespace horizon::proxy {

Connection::Connection(asio::ip::tcp::socket socket, Callbacks callbacks)
    : socket_(std::move(socket)), callbacks_(std::move(callbacks)) {
  asio::error_code ignored;
  const auto endpoint = socket_.remote_endpoint(ignored);
  remote_ = "/" + endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Connection::start() { read(); }

void Connection::read() {
  socket_.async_read_some(asio::buffer(buffer_),
                          [self = shared_from_this()](asio::error_code error, std::size_t n) {
                            if (self->is_closed_ || self->is_closing_) return;
                            if (error) {
                              self->fail(error == asio::error::eof ? "Disconnected" : error.message(), false);
                              return;
                            }
                            self->consume(n);
                            if (!self->is_closed_ && !self->is_closing_) self->read();
                          });
}

void Connection::consume(std::size_t size) {
  const std::span<const std::uint8_t> bytes(buffer_.data(), size);
  if (is_first_) {
    is_first_ = false;
    if (callbacks_.on_first_bytes(bytes)) return;
  }
  if (const auto fed = frames_.feed(bytes); !fed.ok()) {
    fail(fed.error().message, true);
    return;
  }
  // A callback may close the connection, change the compression, or both.
  while (!is_closed_ && !is_closing_) {
    auto packet = frames_.next();
    if (!packet.ok()) {
      fail(packet.error().message, true);
      return;
    }
    if (!*packet) return;
    callbacks_.on_packet(**packet);
  }
}

void Connection::queue(protocol::SharedFrame frame) {
  if (is_closed_ || is_closing_) return;
  queued_bytes_ += frame->size();
  queued_.push_back(std::move(frame));
  if (queued_bytes_ > kMaxQueuedBytes) fail("the client does not read what it is sent", false);
}

void Connection::queue_raw(std::vector<std::uint8_t> bytes) {
  queue(std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes)));
}

void Connection::flush() {
  if (is_closed_ || !writing_.empty() || queued_.empty()) return;
  writing_.swap(queued_);
  std::vector<asio::const_buffer> buffers;
  buffers.reserve(writing_.size());
  for (const protocol::SharedFrame& frame : writing_) buffers.emplace_back(frame->data(), frame->size());
  asio::async_write(socket_, std::move(buffers),
                    [self = shared_from_this()](asio::error_code error, std::size_t n) {
                      self->queued_bytes_ -= n;
                      self->writing_.clear();
                      if (self->is_closed_) return;
                      if (error) {
                        self->fail(error.message(), false);
                        return;
                      }
                      self->flush();
                      if (self->is_closing_ && self->writing_.empty()) self->close();
                    });
}

void Connection::close_after_flush() {
  if (is_closed_) return;
  is_closing_ = true;
  flush();
  if (writing_.empty()) close();
}

void Connection::close() {
  if (is_closed_) return;
  is_closed_ = true;
  asio::error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.close(ignored);
}

void Connection::fail(const std::string& reason, bool is_malformed) {
  if (is_closed_) return;
  const bool was_closing = is_closing_;
  close();
  if (!was_closing) callbacks_.on_closed(reason, is_malformed);
}

}  // namespace horizon::proxy
