#include "proxy/session/identity.hpp"

#include <openssl/evp.h>

#include <array>
#include <string>

#include "common/base/result.hpp"

namespace horizon::proxy {

Uuid offline_uuid(std::string_view name) {
  const std::string text = "OfflinePlayer:" + std::string(name);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HZ_CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr) == 1 && size == 16);
  digest[6] = static_cast<unsigned char>((digest[6] & 0x0f) | 0x30);
  digest[8] = static_cast<unsigned char>((digest[8] & 0x3f) | 0x80);
  Uuid uuid;
  for (std::size_t i = 0; i < 8; ++i) uuid.high = uuid.high << 8 | digest[i];
  for (std::size_t i = 8; i < 16; ++i) uuid.low = uuid.low << 8 | digest[i];
  return uuid;
}

}  // namespace horizon::proxy
