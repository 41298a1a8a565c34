#!/bin/sh
# Installs the Tongtu agent from the server that handed out this script; a second run upgrades it.
# Usage: curl -fsSL <server>/agent/install.sh | TONGTU_TOKEN=<token> sh -s -- [--pin <pin>] [--name <name>] [--dir <folder>]
# --token <token> is understood as well, but every user of the machine can read arguments while this runs.
# Without a token a link is shown, by which somebody adds the device in the console.
set -eu
# The service runs as a user of its own and must be able to read what root installs.
umask 022

SERVER_URL='__SERVER_URL__'
AGENT_SHA256='__AGENT_SHA256__'
AGENT_FILE='tongtu-agent.mjs'
UNIT_FILE='/etc/systemd/system/tongtu-agent.service'
# On a memory file system, and only until the service has read it.
ENROL_FILE='/run/tongtu-agent.enrol'
ONLINE_WITHIN_SECONDS=45
# As long as the link counts.
ADDED_WITHIN_SECONDS=600

say() { printf '%s\n' "$*"; }
fail() {
  printf '安装失败：%s\n' "$*" >&2
  exit 1
}

read_arguments() {
  token=${TONGTU_TOKEN:-}
  # Its children shall not inherit it; the agent is given it where it needs it.
  unset TONGTU_TOKEN
  pin=''
  name=''
  dir=''
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
        shift 2
        ;;
      *) fail "无法识别的参数 $1" ;;
    esac
  done
  # Each of them ends up as one line of an environment file.
  case "$token$pin$name" in *[[:cntrl:]]*) fail '参数中不能有换行等控制字符' ;; esac
}

choose_folders() {
  if [ "$(id -u)" -eq 0 ]; then
    dir=${dir:-/opt/tongtu-agent}
    state='/var/lib/tongtu-agent'
  else
    dir=${dir:-${HOME:?}/.local/share/tongtu-agent}
    state="$dir/state"
  fi
  case "$dir" in /*) ;; *) dir="$(pwd)/$dir" ;; esac
  # Such characters would need escaping in the unit file.
  case "$dir" in *[\"\'\\%\$[:space:]]*) fail "安装目录的路径中不能有空格、引号或 % 等符号：$dir" ;; esac
}

find_node() {
  for candidate in "$(command -v node || true)" /usr/local/bin/node /usr/bin/node \
    /var/packages/Node.js_v2*/target/usr/local/bin/node; do
    [ -x "$candidate" ] || continue
    major=$("$candidate" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || continue
    [ "$major" -ge 20 ] 2>/dev/null || continue
    node=$("$candidate" -p 'process.execPath')
    return 0
  done
  cat >&2 <<'TEXT'
安装失败：需要 Node.js 20 或更新版本。请先安装，然后重新运行本命令：
  Debian 13、Ubuntu 25.04 或更新：  apt-get update && apt-get install -y nodejs
  更早的 Debian / Ubuntu：          curl -fsSL https://deb.nodesource.com/setup_24.x | bash - && apt-get install -y nodejs
  OpenWrt 24.10：                   opkg update && opkg install node
  OpenWrt 25.12 或更新：            apk add node
  群晖 DSM：                        在“套件中心”安装 Node.js v20 或更新版本
  其他系统：                        https://nodejs.org/zh-cn/download
TEXT
  exit 1
}

fetch() { # url, file
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --connect-timeout 15 --max-time 300 --retry 2 -o "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -T 30 -O "$2" "$1"
  else
    fail '需要 curl 或 wget'
  fi
}

sha256_of() { # file
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  else
    "$node" -e 'console.log(require("crypto").createHash("sha256").update(require("fs").readFileSync(0)).digest("hex"))' <"$1"
  fi
}

install_file() {
  mkdir -p "$dir" || fail "无法创建目录 $dir"
  draft="$dir/.$AGENT_FILE.$$"
  fetch "$SERVER_URL/agent/$AGENT_FILE" "$draft" || fail "无法从 $SERVER_URL 下载客户端"
  found=$(sha256_of "$draft")
  [ "$found" = "$AGENT_SHA256" ] || fail "下载的文件校验不一致，可能已损坏或被篡改（应为 $AGENT_SHA256，实为 $found）"
  chmod 755 "$draft"
  mv -f "$draft" "$dir/$AGENT_FILE"
}

remove_leftovers() {
  rm -f "${draft:-}"
  if [ "${uses_enrol_file:-no}" = yes ]; then rm -f "$ENROL_FILE"; fi
}

# A service without a home cannot run a Node.js that lies in somebody's home (nvm, fnm).
choose_service_node() {
  case "$node" in
    /root/* | /home/*)
      cp -f "$node" "$dir/.node.$$"
      chmod 755 "$dir/.node.$$"
      mv -f "$dir/.node.$$" "$dir/node"
      node="$dir/node"
      "$node" --version >/dev/null || fail 'Node.js 装在用户目录中，服务无法使用；请安装系统级的 Node.js'
      ;;
  esac
}

environment_line() { # name, value: quoted as systemd.exec(5) says of EnvironmentFile
  [ -n "$2" ] || return 0
  printf '%s="%s"\n' "$1" "$(printf '%s' "$2" | sed 's/[\\"`$]/\\&/g')"
}

write_enrol_file() {
  uses_enrol_file=yes
  rm -f "$ENROL_FILE"
  (
    umask 077
    {
      environment_line TONGTU_SERVER "$SERVER_URL"
      environment_line TONGTU_TOKEN "$token"
      environment_line TONGTU_PIN "$pin"
      environment_line TONGTU_NAME "$name"
    } >"$ENROL_FILE"
  )
}

write_unit() {
  version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  if [ "${version:-0}" -ge 235 ]; then
    account='DynamicUser=yes
StateDirectory=tongtu-agent
StateDirectoryMode=0700'
  else
    # Older systemd, as in DSM 7, knows neither users made at start nor state folders.
    mkdir -p "$state"
    chmod 700 "$state"
    account="ReadWritePaths=$state"
  fi
  cat >"$UNIT_FILE.new" <<UNIT
[Unit]
Description=Tongtu agent
Documentation=$SERVER_URL
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=$node $dir/$AGENT_FILE --state $state
EnvironmentFile=-$ENROL_FILE
Restart=always
RestartSec=5
# Wrong usage, a bad token, a deleted device: trying again would change nothing.
RestartPreventExitStatus=2 3 4
TimeoutStopSec=10
$account
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
UMask=0077

[Install]
WantedBy=multi-user.target
UNIT
  chmod 644 "$UNIT_FILE.new"
  mv -f "$UNIT_FILE.new" "$UNIT_FILE"
}

# The link that the agent shows where it has no token.
show_link() {
  link=$(service_log "$started" | grep -o 'https\{0,1\}://[^ ]*#/devices?bind=[A-Za-z0-9_-]*' | tail -n 1)
  [ -n "$link" ] && [ "$link" != "$shown_link" ] || return 0
  service_log "$started" | tail -n 3
  shown_link=$link
  within=$ADDED_WITHIN_SECONDS
}

service_log() { journalctl -u tongtu-agent --since "@$1" -o cat --no-pager 2>/dev/null || true; }

start_service() {
  started=$(date +%s)
  systemctl daemon-reload
  systemctl reset-failed tongtu-agent 2>/dev/null || true
  systemctl enable --quiet tongtu-agent
  systemctl restart tongtu-agent
  say '服务已启动，正在等待设备上线…'
  waited=0
  within=$ONLINE_WITHIN_SECONDS
  shown_link=''
  while [ "$waited" -lt "$within" ]; do
    show_link
    if service_log "$started" | grep -q 'ID [0-9a-f]\{12\}'; then
      say "安装完成：$(service_log "$started" | grep 'ID [0-9a-f]\{12\}' | tail -n 1)"
      say '查看日志：journalctl -u tongtu-agent -f'
      return 0
    fi
    if systemctl is-failed --quiet tongtu-agent; then
      service_log "$started" | tail -n 5 >&2
      fail '客户端没有运行起来，原因见上'
    fi
    sleep 1
    waited=$((waited + 1))
  done
  service_log "$started" | tail -n 5 >&2
  fail "设备在 $within 秒内没有上线；服务会继续重试，查看日志：journalctl -u tongtu-agent -f"
}

run_in_foreground() {
  say "没有可用的 systemd，在前台运行（按 Ctrl+C 停止）。以后可直接运行："
  say "  $node $dir/$AGENT_FILE --state $state"
  # By environment: arguments can be read by every user of the machine.
  export TONGTU_SERVER="$SERVER_URL" TONGTU_TOKEN="$token" TONGTU_PIN="$pin" TONGTU_NAME="$name"
  exec "$node" "$dir/$AGENT_FILE" --state "$state"
}

# Everything happens in here, so that a script cut short in transit does nothing.
main() {
  read_arguments "$@"
  choose_folders
  find_node
  trap remove_leftovers EXIT
  trap 'exit 1' HUP INT TERM
  install_file
  say "客户端已安装到 $dir/$AGENT_FILE"
  if [ "$(id -u)" -eq 0 ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null 2>&1; then
    choose_service_node
    write_enrol_file
    write_unit
    start_service
  else
    trap - EXIT HUP INT TERM
    run_in_foreground
  fi
}

main "$@"
