#!/bin/sh
# Installs the Tongtu agent from the server that handed out this script; a second run upgrades it.
# Usage: curl -fsSL <server>/agent/install.sh | TONGTU_TOKEN=<token> sh -s -- [options]
#   --pin <pin>      trust only a server with this key
#   --name <name>    what the device is called in the console
#   --dir <folder>   where the agent is installed
#   --foreground     make no service
#   --uninstall      remove service, agent and state
# --token <token> is understood as well, but every user of the machine can read arguments while this runs.
# Without a token a link is shown, by which somebody adds the device in the console.
# It needs sh and curl or wget. Everything is downloaded from this one server.
set -eu
# The service may run as a user of its own and must be able to read what root installs.
umask 022

SERVER_URL='__SERVER_URL__'
AGENT_SHA256='__AGENT_SHA256__'
AGENT_FILE='tongtu-agent.mjs'
SERVICE='tongtu-agent'
UNIT_FILE="/etc/systemd/system/$SERVICE.service"
PLIST_NAME='com.tongtu.agent'
ONLINE_WITHIN_SECONDS=45
# As long as the link counts.
ADDED_WITHIN_SECONDS=600

say() { printf '%s\n' "$*"; }
fail() {
  printf '安装失败：%s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

read_arguments() {
  token=${TONGTU_TOKEN:-}
  # Its children shall not inherit it; the agent is given it where it needs it.
  unset TONGTU_TOKEN
  pin=''
  name=''
  dir=''
  action=install
  wants_service=yes
  while [ $# -gt 0 ]; do
    case "$1" in
      --token | --pin | --name | --dir)
        [ $# -ge 2 ] || fail "$1 后面缺少内容"
        case "$1" in
          --token) token=$2 ;;
          --pin) pin=$2 ;;
          --name) name=$2 ;;
          --dir) dir=$2 ;;
        esac
        shift
        ;;
      --foreground) wants_service=no ;;
      --uninstall) action=uninstall ;;
      *) fail "无法识别的参数 $1" ;;
    esac
    shift
  done
  case "$token$pin$name" in *[[:cntrl:]]*) fail '参数中不能有换行等控制字符' ;; esac
}

is_root() { [ "$(id -u)" -eq 0 ]; }
is_openwrt() { [ -e /etc/openwrt_release ]; }
is_synology() { [ -e /etc/synoinfo.conf ]; }

can_write() { # folder: makes it
  mkdir -p "$1" 2>/dev/null && (: >"$1/.write.$$") 2>/dev/null && rm -f "$1/.write.$$"
}

first_writable() { # folders
  for candidate in "$@"; do
    if can_write "$candidate"; then
      say "$candidate"
      return 0
    fi
    rmdir "$candidate" 2>/dev/null || true
  done
  return 1
}

choose_folders() {
  case "$dir" in '' | /*) ;; *) dir="$(pwd)/$dir" ;; esac
  # Such characters would need escaping in the files of services.
  case "$dir" in *[\"\'\\%\$\&\<[:space:]]*) fail "安装目录的路径中不能有空格、引号或 % 等符号：$dir" ;; esac
  if is_root; then
    # The folders /var of OpenWrt are in memory.
    if is_openwrt; then state="/etc/$SERVICE"; else state="/var/lib/$SERVICE"; fi
    set -- "/opt/$SERVICE" "/usr/local/lib/$SERVICE" "/var/lib/$SERVICE-program"
  else
    state=''
    set -- "${HOME:?}/.local/share/$SERVICE"
  fi
  if [ -n "$dir" ]; then set -- "$dir"; fi
  if [ "$action" = uninstall ]; then
    dir=${dir:-$1}
  else
    dir=$(first_writable "$@") || fail "无法写入 $*：文件系统只读、已满或没有权限。请用 --dir 指定一个可写的目录"
  fi
  if [ -z "$state" ] || { [ "$action" = install ] && [ ! -e "$state" ] && ! can_write "$state"; }; then state="$dir/state"; fi
}
