#include "common/base/log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string_view>
#include <utility>

namespace horizon {
namespace {

class UpperLevel final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    std::string_view name = "INFO";
    if (message.level == spdlog::level::warn) name = "WARN";
    if (message.level >= spdlog::level::err) name = "ERROR";
    if (message.level <= spdlog::level::debug) name = "DEBUG";
    out.append(name.data(), name.data() + name.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<UpperLevel>(); }
};

}  // namespace

void start_log(const std::string& thread) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<UpperLevel>('*').set_pattern("[%H:%M:%S] [" + thread + "/%*]: %v");
  auto logger =
      std::make_shared<spdlog::logger>("horizon", std::make_shared<spdlog::sinks::stdout_sink_mt>());
  logger->set_formatter(std::move(formatter));
  logger->flush_on(spdlog::level::trace);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace horizon
