# Which init system this machine has, and what is done with it.

find_service_kind() {
  kind=none
  [ "$wants_service" = yes ] || return 0
  if [ "$(uname -s)" = Darwin ]; then
    kind=launchd
  elif ! is_root; then
    if has_user_systemd; then kind=user_systemd; fi
  elif has_systemd; then
    kind=systemd
  elif is_openwrt && [ -e /etc/rc.common ] && [ -e /sbin/procd ]; then
    kind=procd
  elif is_synology; then
    kind=synology
  elif [ -d /run/openrc ] && has rc-service; then
    kind=openrc
  elif has sv && runit_folder >/dev/null; then
    kind=runit
  elif [ -d /etc/init.d ] && [ -e /sbin/init ] && [ "$(cat /proc/1/comm 2>/dev/null)" = init ]; then
    kind=sysv
  fi
}

start_service() {
  case "$kind" in
    systemd) start_systemd ;;
    user_systemd) start_user_systemd ;;
    procd) start_procd ;;
    synology) start_synology ;;
    openrc) start_openrc ;;
    runit) start_runit ;;
    sysv) start_sysv ;;
    launchd) start_launchd ;;
  esac
}

stop_service() {
  case "$kind" in
    systemd) stop_systemd ;;
    user_systemd) stop_user_systemd ;;
    synology) [ ! -x "/usr/local/etc/rc.d/$SERVICE.sh" ] || "/usr/local/etc/rc.d/$SERVICE.sh" stop || true ;;
    procd | openrc | sysv) [ ! -x "/etc/init.d/$SERVICE" ] || "/etc/init.d/$SERVICE" stop >/dev/null 2>&1 || true ;;
    runit) [ ! -d "/etc/sv/$SERVICE" ] || sv down "/etc/sv/$SERVICE" >/dev/null 2>&1 || true ;;
    launchd) launchctl unload "$(plist_file)" 2>/dev/null || true ;;
  esac
  stop_agent_without_service
}

# It may have been started by hand (`keep`), also on a machine with services. Otherwise it would stay online without its
# files, or keep the state folder from the next agent. `keep` ends with it.
stop_agent_without_service() {
  pid=$(find_running_agent) || return 0
  kill "$pid" 2>/dev/null || return 0
  waited=0
  while kill -0 "$pid" 2>/dev/null && [ "$waited" -lt 10 ]; do
    sleep 1
    waited=$((waited + 1))
  done
}

# The process that the lock of the state folder names. The number may belong to another program by now.
find_running_agent() {
  for lock in "$state"/agent.*.pid; do
    pid=$(sed -n 's/.*"pid":\([0-9][0-9]*\).*/\1/p' "$lock" 2>/dev/null)
    [ -n "$pid" ] || continue
    case "$(words_of "$pid" 2>/dev/null)" in
      *"/$AGENT_FILE"*)
        say "$pid"
        return 0
        ;;
    esac
  done
  return 1
}

# The command line of a process. The `ps` of busybox cannot show a single one.
words_of() { # pid
  if [ -d /proc/self ]; then tr '\0' ' ' <"/proc/$1/cmdline"; else ps -p "$1" -o args=; fi
}

remove_service() {
  case "$kind" in
    systemd) systemctl disable --quiet "$SERVICE" 2>/dev/null || true ;;
    user_systemd) systemctl --user disable --quiet "$SERVICE" 2>/dev/null || true ;;
    procd) [ ! -x "/etc/init.d/$SERVICE" ] || "/etc/init.d/$SERVICE" disable || true ;;
    openrc) rc-update del "$SERVICE" default >/dev/null 2>&1 || true ;;
    sysv)
      rm -f "/etc/rc.d/S95$SERVICE"
      if has chkconfig; then chkconfig --del "$SERVICE" 2>/dev/null || true; fi
      ;;
    runit)
      rm -f "$(runit_folder)/$SERVICE"
      # Its supervisor, too, before its folder goes.
      sv force-shutdown "/etc/sv/$SERVICE" >/dev/null 2>&1 || true
      ;;
    launchd) rm -f "$(plist_file)" ;;
  esac
  if is_root; then
    rm -f "$UNIT_FILE" "/etc/init.d/$SERVICE" "/usr/local/etc/rc.d/$SERVICE.sh" "/lib/upgrade/keep.d/$SERVICE" \
      "/var/log/$SERVICE.log" "/var/log/$SERVICE.log.1"
    rm -rf "/etc/sv/$SERVICE" "/var/log/$SERVICE"
    if [ "$kind" = sysv ] && has update-rc.d; then update-rc.d "$SERVICE" remove >/dev/null 2>&1 || true; fi
  else
    rm -f "$HOME/.config/systemd/user/$SERVICE.service"
  fi
}

uninstall() {
  stop_service
  remove_service
  for file in "$AGENT_FILE" "$SERVICE" node node.version "$SERVICE.log"; do rm -f "$dir/$file"; done
  for folder in "$state" "/var/lib/private/$SERVICE"; do
    if [ -e "$folder/agent.json" ]; then rm -rf "${folder:?}"; fi
    rm -f "$folder" 2>/dev/null || true # the link that systemd makes
  done
  rmdir "$state" "$dir" 2>/dev/null || true
  say '通途客户端、服务和设备身份都已删除。如果不再使用这台设备，请在控制台里也删除它'
}
