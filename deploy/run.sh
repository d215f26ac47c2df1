#!/usr/bin/env bash
# Installs what is missing, builds, and starts the server: a proxy and two shards.
#
#   deploy/run.sh [--build-only] [--dir FOLDER] [--shards N]
#
# FOLDER (default: world in the project's folder) holds server.properties, horizon.toml and the world. Stop it with
# the console command "stop" or Ctrl-C.
set -euo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
dir=$project/world shards=2 build_only=0
while [ $# -gt 0 ]; do
  case $1 in
    --build-only) build_only=1 ;;
    --dir) dir=$(realpath -m "${2:?--dir needs a folder}"); shift ;;
    --shards) shards=${2:?--shards needs a number}; shift ;;
    *) sed -n '2,8p' "$0" | cut -c3-; exit 2 ;;
  esac
  shift
done
cd "$project"
. deploy/packages.sh
install_packages "${build_packages[@]}"
build_release horizon-proxy horizon-shard
[ "$build_only" = 1 ] && exit 0
mkdir -p "$dir"
say "starting in $dir"
exec build/release/bin/horizon-proxy --dir "$dir" --shards "$shards"
