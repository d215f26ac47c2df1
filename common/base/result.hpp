#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace horizon {

/// What kind of thing went wrong; decides what the handler does, the message tells a person.
enum class ErrorCode {
  kMalformed,  ///< bytes that no correct peer sends
  kLimit,      ///< correct in form, above a limit
  kNotFound,
  kConfig,  ///< a setting of the operator
  kIo,
  kStale,        ///< relies on an epoch that has passed
  kUnavailable,  ///< try again later
};

/// A failure that the world caused (bytes, files, peers, configuration). `message` names what and where.
struct Error {
  ErrorCode code = ErrorCode::kMalformed;
  std::string message;
};

/// A value or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  /// REQUIRES: ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  /// REQUIRES: !ok().
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}
  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "HZ_CHECK failed: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace horizon

/// For what only a bug can cause; kept in release builds.
#define HZ_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::horizon::check_failed(#condition, __FILE__, __LINE__))
