# Sourced by deploy/run.sh and tests/run.sh: what a Debian 12 machine needs, and how it gets it.

build_packages=(
  ca-certificates ccache cmake g++ ninja-build pkg-config
  protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libgrpc++-dev
  libasio-dev zlib1g-dev libdeflate-dev libpng-dev libspdlog-dev libssl-dev libtomlplusplus-dev libcli11-dev
  nlohmann-json3-dev libgtest-dev libbenchmark-dev
)

say() { printf '\n== %s\n' "$*"; }

# install_packages NAME...: installs those that are missing; does nothing, fast, when there are none.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing ${#missing[@]} packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "run as root, or install sudo: packages are missing" >&2; return 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# build_release TARGET...: configures once and builds in build/release.
build_release() {
  [ -f build/release/build.ninja ] || { say "configuring"; cmake --preset release; }
  say "building: $*"
  cmake --build --preset release --target "$@"
}
