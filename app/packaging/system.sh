# shellcheck shell=bash disable=SC2034,SC2154
# A separate Debian 13 system in which the program is cross-compiled for the page (app/packaging/web) and for Windows
# (app/packaging/windows). Sourced by their `build` scripts, which set `root` and `packages`.

# The libraries, in exactly these versions: sources of Debian 13 and 12.
release=trixie
headers=(libeigen3-dev=3.4.0-5 nlohmann-json3-dev=3.11.3-2.1 libcli11-dev=2.4.1+ds-2 libtomlplusplus-dev=3.4.0+ds-0.2+b1)
typefaces=(fonts-noto-cjk fonts-inter fonts-jetbrains-mono fonts-stix fonts-dejavu-core)
sources=(
  zlib=1:1.2.13.dfsg-1 libpng1.6=1.6.39-2+deb12u5 libjpeg-turbo=1:2.1.5-2 freetype=2.12.1+dfsg-5+deb12u4 utf8proc=2.8.0-1 pcre2=10.42-1
  libzip=1.7.3-1 cgif=0.5.0-1 fmtlib=10.1.1+ds1-4
)

# lacks_system FOLDER: prints why the Debian 13 system cannot be made or entered, or nothing.
lacks_system() {
  if ((EUID != 0)); then
    echo "it makes a Debian 13 of its own and enters it, which needs root."
  elif ! unshare --mount --pid --fork true 2>/dev/null; then
    echo "it enters a Debian 13 of its own, and this system allows no mounts."
  elif [[ ! -e $1/system/made ]] && ! command -v mmdebstrap >/dev/null && ! is_debian; then
    echo "mmdebstrap is not installed."
  fi
}

# prepare TARGET FOLDER: creates the system with `packages` in FOLDER, unless it is already there.
prepare() {
  target=$1
  ((EUID == 0)) || { echo "app/packaging/$target/build makes a system with mmdebstrap and enters it: run it as root." >&2 && exit 2; }
  mkdir -p -- "$2"
  cache=$(cd -- "$2" && pwd -P)
  system=$cache/system
  SOURCE_DATE_EPOCH=$(source_date)
  export SOURCE_DATE_EPOCH
  [[ ! -e $system/made ]] || return 0
  need_packages "To build in a Debian of its own" mmdebstrap
  rm -rf -- "$system"
  mkdir -p -- "$system"
  mmdebstrap --variant=minbase --components=main --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --include="$(IFS=, && echo "${packages[*]} ${headers[*]} ${typefaces[*]}" | tr ' ' ,)" \
    "$release" "$system"
  touch "$system/made"
}

# enter COMMAND...: runs a command in the system, with the sources at /attenscope and the build at /TARGET. Its mounts and
# processes end with the command.
enter() {
  cp -- /etc/resolv.conf "$system/etc/resolv.conf"
  mkdir -p -- "$system/attenscope" "$system/$target"
  export system root cache target
  unshare --mount --pid --fork --kill-child bash -euc '
    mount -t proc proc "$system/proc"
    mount --rbind /dev "$system/dev"
    mount -t tmpfs tmpfs "$system/tmp"
    mount --bind "$root" "$system/attenscope"
    mount --bind "$cache" "$system/$target"
    exec chroot "$system" /usr/bin/env -i HOME="/$target/home" PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      CCACHE_DIR="/$target/ccache" SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$@"' bash "$@"
}
