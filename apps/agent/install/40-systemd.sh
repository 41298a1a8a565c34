# systemd: a service of the machine, or of a user.

has_systemd() { [ -d /run/systemd/system ] && has systemctl; }

# Containers may be forbidden to make the namespaces that the service is kept in.
has_namespaces=yes
NAMESPACE_FAILED=226

systemd_version() {
  found=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  say "${found:-0}"
}

systemd_account() {
  if [ "$(systemd_version)" -ge 235 ] && [ "$state" = "/var/lib/$SERVICE" ]; then
    # root has written there; systemd passes on to the new owner only what is not that owner's at the top.
    chown -R 0:0 "$state/"
    [ "$has_namespaces" = no ] || say 'DynamicUser=yes'
    say "StateDirectory=$SERVICE
StateDirectoryMode=0700"
  elif [ "$has_namespaces" = yes ]; then
    # Older systemd, as in DSM 7, knows neither users made at start nor state folders.
    say "ReadWritePaths=$state"
  fi
}

namespaces() {
  [ "$has_namespaces" = yes ] || return 0
  cat <<'LINES'
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
LINES
}

# The agent, which is not allowed to load it, uses it for its own connections. Older systemd does not know the "+".
module_line() {
  [ "$(systemd_version)" -lt 231 ] || say "ExecStartPre=+-/bin/sh -c 'modprobe -q tcp_bbr'"
}

write_unit() {
  account=$(systemd_account)
  cat >"$UNIT_FILE.new" <<UNIT || fail "无法写入 $UNIT_FILE"
[Unit]
Description=Tongtu agent
Documentation=$SERVER_URL
Wants=network-online.target
After=network-online.target

[Service]
$(module_line)
ExecStart=$dir/$SERVICE
Restart=always
RestartSec=5
# Wrong usage, a bad token, a deleted device: trying again would change nothing.
RestartPreventExitStatus=2 3 4
TimeoutStopSec=10
$account
NoNewPrivileges=yes
CapabilityBoundingSet=
$(namespaces)
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

service_log() { journalctl -u "$SERVICE" --since "@$1" -o cat --no-pager 2>/dev/null || true; }

# Whether the last start failed before the agent began, because there was no namespace to be had.
lacks_namespaces() { [ "$(systemctl show -p ExecMainStatus "$SERVICE")" = "ExecMainStatus=$NAMESPACE_FAILED" ]; }

start_systemd() {
  write_unit
  started=$(date +%s)
  systemctl daemon-reload
  systemctl reset-failed "$SERVICE" 2>/dev/null || true
  systemctl enable --quiet "$SERVICE"
  systemctl restart "$SERVICE"
  say '服务已启动，正在等待设备上线…'
  waited=0
  while [ "$waited" -lt "$ONLINE_WITHIN_SECONDS" ]; do
    if service_log "$started" | grep -q 'ID [0-9a-f]\{12\}'; then
      return 0
    fi
    if [ "$has_namespaces" = yes ] && lacks_namespaces; then
      say '这台机器（可能是容器）不允许服务使用命名空间，改为不用它们来隔离'
      has_namespaces=no
      systemctl stop "$SERVICE"
      start_systemd
      return 0
    fi
    if systemctl is-failed --quiet "$SERVICE"; then
      service_log "$started" | tail -n 5 >&2
      fail '客户端没有运行起来，原因见上'
    fi
    sleep 1
    waited=$((waited + 1))
  done
  service_log "$started" | tail -n 5 >&2
  fail "设备在 $ONLINE_WITHIN_SECONDS 秒内没有上线；服务会继续重试，查看日志：journalctl -u $SERVICE -f"
}

stop_systemd() { systemctl stop "$SERVICE" 2>/dev/null || true; }

has_user_systemd() { has systemctl && systemctl --user show-environment >/dev/null 2>&1; }

start_user_systemd() {
  mkdir -p "$HOME/.config/systemd/user"
  cat >"$HOME/.config/systemd/user/$SERVICE.service" <<UNIT
[Unit]
Description=Tongtu agent

[Service]
ExecStart=$dir/$SERVICE
Restart=always
RestartSec=5
RestartPreventExitStatus=2 3 4

[Install]
WantedBy=default.target
UNIT
  systemctl --user daemon-reload
  systemctl --user enable --quiet "$SERVICE"
  systemctl --user restart "$SERVICE"
  loginctl enable-linger 2>/dev/null ||
    say '提示：退出登录后服务会停止；请让管理员运行 loginctl enable-linger '"$(id -un)"
}

stop_user_systemd() { systemctl --user stop "$SERVICE" 2>/dev/null || true; }
