#!/usr/bin/env bash
# Builds the image and runs it as docs/install.md does: not as root, on a read-only root, with a volume. Ends with 77 where
# this machine has no builder or gives it no rights. The base image is made here, of Debian and this machine's Node: nothing
# is fetched from a registry of images.
set -euo pipefail
cd "$(dirname "$0")/../.."

missing() {
  echo "the image is NOT built: $1"
  exit 77
}

for program in podman runc mmdebstrap curl; do
  command -v "$program" >/dev/null || missing "$program is not installed"
done
[ "$(id -u)" = 0 ] || missing "only root can make a base image"

work=$(mktemp -d)
port=2197
base=docker.io/library/node:22-bookworm-slim
# A storage of its own: nobody's images are touched.
container=(podman --log-level fatal --root "$work/storage" --runroot "$work/run" --runtime runc --cgroup-manager cgroupfs)
clean() {
  "${container[@]}" rm --force --all >/dev/null 2>&1 || true
  "${container[@]}" unmount --all >/dev/null 2>&1 || true
  rm -rf "$work" 2>/dev/null || true
}
trap clean EXIT

echo "--- base image of Debian and Node $(node --version)"
sources=$(find /etc/apt -name '*.sources' -o -name 'sources.list' -size +0 | head -n 1)
mmdebstrap --quiet --variant=minbase --include=libatomic1 "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$work/base.tar" "$sources" ||
  missing "Debian's packages cannot be had"
cp "$(readlink -f "$(command -v node)")" "$work/node"
cp -r "$(npm root --global)/npm" "$work/npm"
cat >"$work/Containerfile" <<'BASE'
FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && \
    ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && \
    useradd --uid 1000 --create-home node
BASE
"${container[@]}" build --quiet --isolation=chroot --network=host --tag "$base" --file "$work/Containerfile" "$work" ||
  missing "this machine gives the builder no rights"

echo "--- the image"
# npm finds and trusts its registry as it does here.
npm config ls --long --json 2>/dev/null | node -e '
  const fs = require("node:fs");
  const [folder] = process.argv.slice(1);
  const { registry, cafile } = JSON.parse(fs.readFileSync(0, "utf8"));
  fs.writeFileSync(`${folder}/authorities.pem`, cafile ? fs.readFileSync(cafile) : "");
  const lines = [`registry=${registry}`, ...(cafile ? ["cafile=/run/authorities.pem"] : [])];
  fs.writeFileSync(`${folder}/npmrc`, `${lines.join("\n")}\n`);' "$work"
build() {
  "${container[@]}" build --format docker --isolation=chroot --network=host --volume "$work/npmrc:/root/.npmrc:ro" \
    --volume "$work/authorities.pem:/run/authorities.pem:ro" "$@"
}
# What a container may have here is no more than this shell has.
limits=(--ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit "nproc=4096:4096")

# What fails so far is this machine's; what fails from here on is ours.
printf 'FROM %s\nRUN npm view workerd version >/dev/null\n' "$base" >"$work/Containerfile.npm"
build --quiet --tag npm-answers --file "$work/Containerfile.npm" "$work" || missing "npm reaches no registry within a build"
"${container[@]}" run --rm --network=host --read-only "${limits[@]}" "$base" node --version ||
  missing "this machine runs no containers"

build --tag routing-gateway .

run() {
  "${container[@]}" run --detach --name gateway --network=host --read-only --cap-drop=ALL --security-opt=no-new-privileges \
    "${limits[@]}" --volume data:/data routing-gateway start --host 127.0.0.1 --port "$port" --state /data >/dev/null
  for _ in $(seq 300); do
    # It prints what it has to say once it serves.
    "${container[@]}" logs gateway 2>&1 | grep -q '^Admin token' && return 0
    sleep 0.2
  done
  "${container[@]}" logs gateway
  echo "the container does not answer"
  return 1
}
ask() {
  curl --silent --fail "http://127.0.0.1:$port/v1/chat/completions" -H "Authorization: Bearer $1" \
    -H "Content-Type: application/json" -d '{"model":"auto","messages":[{"role":"user","content":"Hello"}]}' |
    grep -q '"assistant"'
}
expect() {
  local what=$1
  shift
  if "$@"; then echo "passed  $what"; else
    echo "FAILED  $what"
    exit 1
  fi
}
stop() {
  "${container[@]}" stop --time 75 gateway >/dev/null
  "${container[@]}" logs gateway 2>&1 | tail -n 1 | grep -q '^Stopped\.'
}
inside() { "${container[@]}" exec gateway "$@"; }

expect "the image has a health check" bash -c '"$@" | grep -q readyz' - "${container[@]}" image inspect routing-gateway

echo "--- a first start"
run
key=$("${container[@]}" logs gateway 2>&1 | sed -n 's/^Key  *\(gw_[A-Za-z0-9_-]*\).*/\1/p')
expect "the first key answers a request" ask "$key"
expect "it is not root" test "$(inside id -u)" = 1000
expect "its root is read-only" bash -c '! "$@" touch /opt/gateway/x 2>/dev/null' - "${container[@]}" exec gateway
expect "it says that it is ready" inside node -e "fetch('http://127.0.0.1:$port/readyz').then(({ ok }) => process.exit(ok ? 0 : 1))"
expect "it stops in order" stop
"${container[@]}" rm gateway >/dev/null

echo "--- a second container on the same volume"
run
expect "the same key still answers" ask "$key"
expect "it stops in order" stop
