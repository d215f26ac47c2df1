#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   tests/run.sh [unit|data|asan|e2e ...]      default: all of them
#
# unit: unit, simulation and fuzz tests (seconds). data: the generated game data, made anew and compared. asan: the
# codecs, fuzzed under the address sanitizer. e2e: real clients against a real proxy and two real shards.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/packages.sh
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(unit data asan e2e)
passed=0 failed=0 skipped=0
started=$(date +%s)
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# count_ctest LOG: adds the figures of a ctest run.
count_ctest() {
  local total bad
  total=$(grep -oE 'out of [0-9]+' "$1" | tail -1 | grep -oE '[0-9]+' || echo 0)
  bad=$(grep -oE '[0-9]+ tests? failed' "$1" | tail -1 | grep -oE '^[0-9]+' || echo 0)
  skipped=$((skipped + $(grep -c '\*\*\*Skipped' "$1" || true)))
  [ "$total" -gt 0 ] || bad=1
  passed=$((passed + total - bad)) failed=$((failed + bad))
}

# check NAME COMMAND...: one test that is a program.
check() {
  local name=$1
  shift
  say "$name"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; fi
}

install_node() {
  command -v npm >/dev/null || install_packages nodejs npm
  [ -x tests/e2e/node_modules/.bin/node ] && [ -d tests/e2e/node_modules/mineflayer ] && return 0
  say "installing Node 24 and the clients"
  (cd tests/e2e && npm install --no-audit --no-fund --no-package-lock --engine-strict=false --loglevel=error)
}

install_packages "${build_packages[@]}"
for part in "${parts[@]}"; do
  case $part in
    unit)
      build_release all
      say "unit, simulation and fuzz tests"
      ctest --preset release -j2 --timeout 120 2>&1 | tee "$logs/unit" | grep -vE '^ *Start ' || true
      count_ctest "$logs/unit"
      ;;
    data)
      install_node
      command -v mvn >/dev/null || install_packages maven
      check "game data: generated anew and compared" tests/e2e/node_modules/.bin/node common/game/generate/check.mjs
      ;;
    asan)
      [ -f build/asan/build.ninja ] || cmake --preset asan
      say "building under the sanitizers"
      cmake --build --preset asan --target horizon_fuzz_tests horizon_common_tests
      say "codecs and fuzz tests under the sanitizers"
      check "codecs under asan and ubsan" build/asan/bin/horizon_common_tests --gtest_brief=1
      check "fuzz under asan and ubsan" build/asan/bin/horizon_fuzz_tests --gtest_brief=1
      ;;
    e2e)
      install_node
      build_release horizon-proxy horizon-shard
      say "real clients against a real server"
      for file in tests/e2e/*.test.mjs; do
        check "$file" tests/e2e/node_modules/.bin/node --test --test-concurrency=1 "$file"
      done
      ;;
    *)
      sed -n '2,8p' "$0" | cut -c3-
      exit 2
      ;;
  esac
done
say "took $(($(date +%s) - started)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
