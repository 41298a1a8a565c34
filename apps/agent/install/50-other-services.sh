# Init systems other than systemd. Each has a function that writes its file and starts the service.

write_service() { # file: its text comes by stdin
  mkdir -p "$(dirname "$1")"
  cat >"$1.new" || fail "无法写入 $1"
  chmod 755 "$1.new"
  mv -f "$1.new" "$1"
}

begin() { # command
  "$@" || fail "服务没有启动（$*），原因见上"
}

start_procd() {
  write_service "/etc/init.d/$SERVICE" <<PROCD
#!/bin/sh /etc/rc.common
START=95
STOP=10
USE_PROCD=1

start_service() {
	procd_open_instance
	procd_set_param command '$dir/$SERVICE'
	procd_set_param respawn 3600 5 0
	procd_set_param stdout 1
	procd_set_param stderr 1
	procd_close_instance
}
PROCD
  # What an upgrade of the firmware keeps.
  mkdir -p /lib/upgrade/keep.d
  say "$state" >"/lib/upgrade/keep.d/$SERVICE"
  "/etc/init.d/$SERVICE" enable
  begin "/etc/init.d/$SERVICE" restart
  log_hint="logread -f -e $SERVICE"
}

start_openrc() {
  write_service "/etc/init.d/$SERVICE" <<OPENRC
#!/sbin/openrc-run
name='$SERVICE'
description='Tongtu agent'
supervisor=supervise-daemon
command='$dir/$SERVICE'
respawn_delay=5
respawn_max=0
output_log='/var/log/$SERVICE.log'
error_log='/var/log/$SERVICE.log'

depend() {
	# Not \`need\`: the agent tries again by itself, and some machines have no service of that name.
	use net
	after net firewall
}
OPENRC
  rc-update add "$SERVICE" default >/dev/null
  begin rc-service "$SERVICE" restart
  log_hint="tail -f /var/log/$SERVICE.log"
}

runit_folder() {
  for candidate in /var/service /etc/service /service; do
    if [ -d "$candidate" ]; then
      say "$candidate"
      return 0
    fi
  done
  return 1
}

start_runit() {
  write_service "/etc/sv/$SERVICE/finish" <<FINISH
#!/bin/sh
# Wrong usage, a bad token, a deleted device: trying again would change nothing.
case "\$1" in 2 | 3 | 4) sv down '/etc/sv/$SERVICE' ;; esac
sleep 5
FINISH
  write_service "/etc/sv/$SERVICE/run" <<RUN
#!/bin/sh
exec 2>&1
exec '$dir/$SERVICE'
RUN
  log_hint="sv status /etc/sv/$SERVICE"
  if has svlogd; then
    mkdir -p "/var/log/$SERVICE"
    printf 's100000\nn2\n' >"/var/log/$SERVICE/config"
    write_service "/etc/sv/$SERVICE/log/run" <<LOG
#!/bin/sh
exec svlogd '/var/log/$SERVICE'
LOG
    log_hint="tail -f /var/log/$SERVICE/current"
  fi
  ln -sfn "/etc/sv/$SERVICE" "$(runit_folder)/$SERVICE"
  sv restart "/etc/sv/$SERVICE" >/dev/null 2>&1 || true # the supervisor itself starts one that it did not know
}

# SysV, and /usr/local/etc/rc.d of Synology DSM 6. The starter itself starts the agent again.
write_sysv() { # file
  write_service "$1" <<SYSV
#!/bin/sh
### BEGIN INIT INFO
# Provides:          $SERVICE
# Required-Start:    \$network \$remote_fs
# Required-Stop:     \$network \$remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: Tongtu agent
### END INIT INFO
pid_file='/var/run/$SERVICE.pid'
log_file='/var/log/$SERVICE.log'

is_running() {
  pid=\$(cat "\$pid_file" 2>/dev/null) && kill -0 "\$pid" 2>/dev/null && grep -q '$SERVICE' "/proc/\$pid/cmdline" 2>/dev/null
}
start() {
  is_running && return 0
  # Not more than the log of the last two starts.
  if [ -e "\$log_file" ]; then mv -f "\$log_file" "\$log_file.1"; fi
  '$dir/$SERVICE' keep </dev/null >"\$log_file" 2>&1 &
  echo "\$!" >"\$pid_file"
}
stop() {
  is_running || return 0
  kill "\$pid"
  left=10
  while is_running && [ "\$left" -gt 0 ]; do
    sleep 1
    left=\$((left - 1))
  done
  rm -f "\$pid_file"
}
case "\${1:-}" in
  start) start ;;
  stop) stop ;;
  restart | force-reload)
    stop
    start
    ;;
  status) if is_running; then echo running; else
    echo stopped
    exit 3
  fi ;;
  *)
    echo "usage: \$0 start|stop|restart|status" >&2
    exit 2
    ;;
esac
SYSV
  log_hint="tail -f /var/log/$SERVICE.log"
}

start_sysv() {
  write_sysv "/etc/init.d/$SERVICE"
  if has update-rc.d; then
    update-rc.d "$SERVICE" defaults >/dev/null
  elif has chkconfig; then
    chkconfig --add "$SERVICE"
  elif [ -d /etc/rc.d ]; then
    ln -sf "../init.d/$SERVICE" "/etc/rc.d/S95$SERVICE"
  else
    say "提示：请让 /etc/init.d/$SERVICE start 在开机时运行"
  fi
  begin "/etc/init.d/$SERVICE" restart
}

start_synology() {
  write_sysv "/usr/local/etc/rc.d/$SERVICE.sh"
  begin "/usr/local/etc/rc.d/$SERVICE.sh" restart
  say "提示：如果群晖重启后没有自动运行，请在控制面板的任务计划中新增触发的任务（用户定义的脚本），用户 root，事件为开机，脚本：/usr/local/etc/rc.d/$SERVICE.sh start"
}

plist_file() {
  if is_root; then say "/Library/LaunchDaemons/$PLIST_NAME.plist"; else say "$HOME/Library/LaunchAgents/$PLIST_NAME.plist"; fi
}

start_launchd() {
  plist=$(plist_file)
  write_service "$plist" <<PLIST
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>$PLIST_NAME</string>
  <key>ProgramArguments</key><array><string>$dir/$SERVICE</string></array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>StandardOutPath</key><string>$dir/$SERVICE.log</string>
  <key>StandardErrorPath</key><string>$dir/$SERVICE.log</string>
</dict>
</plist>
PLIST
  chmod 644 "$plist"
  launchctl unload "$plist" 2>/dev/null || true
  begin launchctl load -w "$plist"
  log_hint="tail -f $dir/$SERVICE.log"
}
