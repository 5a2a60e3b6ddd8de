#!/bin/sh
# Builds the root file system of the portal's image, and tries it without a container engine.
#
#   image.sh root OUT    builds OUT/root, OUT/data and both as OUT/image.tar; OUT/inputs.txt says what decided the result
#   image.sh twice OUT   builds in two folders with nothing in common, and compares the results byte for byte
#   image.sh try TAR     runs the image as its Containerfile says: an empty read-only root, an unprivileged user (as root)
#   image.sh check OUT   twice, then try
#
# The Containerfile calls the first; the others run on any Linux with Go, a C compiler and GNU tar.
set -eu
umask 022
export LC_ALL=C TZ=UTC

here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../../.." && pwd)
container=$here/Containerfile

say() { printf '== %s\n' "$*"; }
fail() { printf 'image.sh: %s\n' "$*" >&2; exit 1; }

# wanted_go is the Go release that the Containerfile names.
wanted_go() { sed -n 's/^ARG BUILDER=.*golang:\([0-9.]*\).*/go\1/p' "$container"; }

# instruction prints the arguments of an instruction of the last stage, with a JSON list as words.
instruction() { sed -n '/^FROM scratch/,$p' "$container" | sed -n "s/^$1 //p" | sed 's/.*CMD \[/[/' | tr -d '[],"'; }

# build_program builds without anything that differs between machines: paths, version control, build ids, the time.
build_program() {
  # Where another Go is installed, it gets the wanted release from the module proxy.
  GOTOOLCHAIN=$(wanted_go)
  export GOTOOLCHAIN
  have=$(go env GOVERSION)
  [ "$have" = "$(wanted_go)" ] || fail "this is $have, but the Containerfile names $(wanted_go)"
  (cd "$source" &&
    CGO_ENABLED=1 GOFLAGS=-mod=readonly GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT='' CGO_CFLAGS='-O2' CGO_LDFLAGS='' \
    go build -trimpath -buildvcs=false -tags netgo,osusergo,sqlite_omit_load_extension,nopkcs11 \
      -ldflags '-s -w -buildid= -linkmode=external -extldflags "-static -Wl,--build-id=none"' \
      -o "$1" ./cmd/portal)
}

# inputs prints what decides the result besides the sources.
inputs() {
  GOTOOLCHAIN=$(wanted_go) go version
  gcc --version | head -n 1
  ld --version | head -n 1
  for file in "$(gcc -print-file-name=libc.a)" "$(gcc -print-libgcc-file-name)" "$1"; do
    printf '%s  %s\n' "$(sha256sum <"$file" | cut -c 1-64)" "$(basename "$file")"
  done
}

root() {
  out=$(realpath -m "$1")
  authorities=/etc/ssl/certs/ca-certificates.crt
  [ -s "$authorities" ] || fail "there are no certificate authorities in $authorities: install ca-certificates"
  rm -rf "$out"
  mkdir -p "$out/root/usr/local/bin" "$out/root/etc/ssl/certs" "$out/root/run/secrets" "$out/root/tmp" "$out/data"
  say "Building the program"
  build_program "$out/root/usr/local/bin/portal"
  say "Assembling the root file system"
  user=$(instruction USER)
  printf 'root:x:0:0::/:/\nhearthline:x:%s::/data:/\n' "$user" >"$out/root/etc/passwd"
  printf 'root:x:0:\nhearthline:x:%s:\n' "${user#*:}" >"$out/root/etc/group"
  cp "$authorities" "$out/root/etc/ssl/certs/ca-certificates.crt"
  find "$out/root" -type d -exec chmod 755 {} +
  find "$out/root" -type f -exec chmod 644 {} +
  chmod 755 "$out/root/usr/local/bin/portal"
  chmod 1777 "$out/root/tmp"
  chmod 700 "$out/data"
  find "$out/root" "$out/data" -exec touch -h -d @0 {} +
  tar -C "$out/root" --format=ustar --sort=name --mtime=@0 --numeric-owner --owner=0 --group=0 -cf "$out/image.tar" .
  tar -C "$out" --format=ustar --mtime=@0 --numeric-owner --owner="${user%:*}" --group="${user#*:}" -rf "$out/image.tar" ./data
  inputs "$authorities" >"$out/inputs.txt"
  cat "$out/inputs.txt"
  printf '%s  image.tar, %s bytes\n' "$(sha256sum <"$out/image.tar" | cut -c 1-64)" "$(stat -c %s "$out/image.tar")"
}

# twice copies the sources into two folders with names of different lengths, each with its own caches.
twice() {
  out=$(realpath -m "$1")
  modules=$(go env GOMODCACHE)/cache/download
  proxy=$(go env GOPROXY)
  [ -d "$modules" ] && proxy="file://$modules,$proxy"
  rm -rf "$out"
  for copy in first the-second/one; do
    mkdir -p "$out/$copy/source"
    (cd "$source" && git ls-files -z | tar --null -T - -cf -) | tar -C "$out/$copy/source" -xf -
    GOCACHE="$out/$copy/cache" GOMODCACHE="$out/$copy/modules" GOPROXY="$proxy" GONOSUMDB='*' HOME="$out/$copy" \
      sh "$out/$copy/source/cmd/portal/image/image.sh" root "$out/$copy/out"
    rm -rf "$out/$copy/cache"
    chmod -R u+w "$out/$copy/modules" && rm -rf "$out/$copy/modules"
  done
  cmp "$out/first/out/image.tar" "$out/the-second/one/out/image.tar" || fail "the two builds differ"
  cp "$out/first/out/image.tar" "$out/first/out/inputs.txt" "$out/"
  say "Both builds are the same, byte for byte"
}

# try starts the image in namespaces of its own: no network but loopback, no mount that the machine sees.
try() {
  [ "$(id -u)" = 0 ] || fail "try needs root: it mounts, and changes to another root and user"
  [ -s "$1" ] || fail "there is no $1"
  tar=$(realpath "$1")
  work=$(mktemp -d "${TMPDIR:-/tmp}/hearthline-image-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  unshare --mount --net --pid --fork --mount-proc --propagation private sh "$here/image.sh" inside "$tar" "$work"
}

# inside is try within the namespaces.
inside() {
  tar=$1 work=$2
  image=$work/image
  user=$(instruction USER)
  ip link set lo up
  mkdir "$image" "$work/secrets"
  tar -C "$image" --same-owner -xpf "$tar"
  rm -rf "$work/data" && mv "$image/data" "$work/data" && mkdir "$image/data"
  head -c 32 /dev/urandom | base64 >"$work/secrets/kek"
  printf 'no-lender-has-this-key\n' >"$work/secrets/partner_key"
  chmod 400 "$work/secrets"/*
  chown -R "$user" "$work/secrets" && chmod 500 "$work/secrets"
  mount --bind "$image" "$image"
  mount -t tmpfs -o noexec,nosuid,nodev,size=64m,mode=1777 tmpfs "$image/tmp"
  mount --bind "$work/data" "$image/data"
  mount --bind "$work/secrets" "$image/run/secrets"
  mount -o remount,bind,ro,nosuid,nodev,noexec "$image/run/secrets"
  mount -o remount,bind,ro,nosuid,nodev "$image"
  ! touch "$image/usr/probe" 2>/dev/null || fail "the root can be written"

  # portal runs a command of the image as the engine would; nothing of this environment reaches it.
  portal() {
    env -i $(instruction ENV) PORTAL_BASE_URL=https://portal.test \
      PARTNER_BASE_URL=https://127.0.0.1:1 PARTNER_API_KEY_FILE=/run/secrets/partner_key \
      setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid \
      /usr/sbin/chroot --groups= --userspec="$user" "$image" "$@"
  }
  health=$(instruction HEALTHCHECK)
  address=$(instruction ENV | tr ' ' '\n' | sed -n 's/^PORTAL_ADDR=0.0.0.0:/127.0.0.1:/p')

  say "Starting $(instruction ENTRYPOINT) $(instruction CMD) as $user"
  ! portal $health 2>/dev/null || fail "the health check passes before the portal runs"
  portal $(instruction ENTRYPOINT) $(instruction CMD) >"$work/log" 2>&1 &
  waited=0
  until portal $health >"$work/health" 2>&1; do
    waited=$((waited + 1))
    [ $waited -lt 300 ] || { cat "$work/health" "$work/log"; fail "the portal is not healthy after a minute"; }
    sleep 0.2
  done
  cat "$work/health"
  pid=$(pgrep -x portal) || fail "there is no process of the portal"
  grep -E '^(Uid|Gid|NoNewPrivs|CapEff):' "/proc/$pid/status"
  [ "$(sed -n 's/^CapEff:[^0-9a-f]*//p' "/proc/$pid/status")" = 0000000000000000 ] || fail "the portal has capabilities"

  say "Reading the sign-in page, adding a user, verifying the audit log"
  curl -sS --max-time 30 -H 'Host: portal.test' "http://$address/login" >"$work/page"
  grep -q 'name="password"' "$work/page" || { cat "$work/page" "$work/log"; fail "the sign-in page is not answered"; }
  echo 'kettle-lantern-orchard' | portal $(instruction ENTRYPOINT) user add admin@hearthline.test --name 'An Admin' --role admin --password-stdin
  portal $(instruction ENTRYPOINT) audit verify

  say "Stopping with $(instruction STOPSIGNAL)"
  signal=$(instruction STOPSIGNAL)
  kill -s "${signal#SIG}" "$pid"
  code=0
  wait "$!" || code=$?
  [ "$code" = 0 ] || { cat "$work/log"; fail "the portal ended with $code"; }
  ! portal $health 2>/dev/null || fail "the health check passes after the portal has ended"
  # Nothing outside of the volume was changed.
  umount "$image/tmp" "$image/data" "$image/run/secrets"
  tar -C "$image" --format=ustar --sort=name --mtime=@0 --numeric-owner --exclude=./data -cf "$work/after.tar" .
  tar -C "$work" -xOf "$tar" ./usr/local/bin/portal | cmp - "$image/usr/local/bin/portal"
  [ "$(tar -tvf "$work/after.tar" | sha256sum)" = "$(tar -tvf "$tar" --exclude=./data | sha256sum)" ] || fail "the root has changed"
  say "The image starts, answers, is healthy and ends in order"
}

case "${1-} $#" in
'root 2' | 'twice 2' | 'try 2') "$1" "$2" ;;
'check 2') twice "$2" && try "$2/image.tar" ;;
'inside 3') inside "$2" "$3" ;;
*) sed -n 's/^#   //p' "$0" >&2; exit 2 ;;
esac
