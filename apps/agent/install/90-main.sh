# By environment: arguments can be read by every user of the machine.
hand_over() { export TONGTU_SERVER="$SERVER_URL" TONGTU_TOKEN="$token" TONGTU_PIN="$pin" TONGTU_NAME="$name"; }

run_in_foreground() {
  say '没有可用的系统服务，在前台运行（按 Ctrl+C 停止，关闭终端后也会停止）。以后可以这样让它在后台一直运行：'
  say "  nohup $dir/$SERVICE keep >$dir/$SERVICE.log 2>&1 &"
  say '要开机自动运行，请把上面这一行加到开机脚本（例如 crontab -e 中的 @reboot，或 /etc/rc.local）'
  hand_over
  exec "$dir/$SERVICE" keep
}

# Connects once, so that the token is needed only here and no service has to keep it.
enrol() {
  if [ -n "$token" ]; then
    within=$ONLINE_WITHIN_SECONDS
    say '正在连接服务器…'
  else
    [ ! -e "$state/agent.json" ] || ! grep -q '"uid": *"' "$state/agent.json" || return 0
    within=$ADDED_WITHIN_SECONDS
  fi
  code=0
  (
    hand_over
    exec "$dir/$SERVICE" --online-within "$within"
  ) || code=$?
  [ "$code" -eq 0 ] || exit "$code"
}

# Everything happens in here, so that a script cut short in transit does nothing.
main() {
  read_arguments "$@"
  choose_folders
  find_service_kind
  if [ "$action" = uninstall ]; then
    uninstall
    return 0
  fi
  trap remove_leftovers EXIT
  trap 'exit 1' HUP INT TERM
  find_node || install_runtime
  if [ "$kind" != none ]; then own_node; fi
  install_agent
  if [ "$kind" = none ]; then
    trap - EXIT HUP INT TERM
    # Where somebody asks for the foreground, a service may run the agent, which would come back.
    [ "$wants_service" = no ] || stop_service
    run_in_foreground
  fi
  stop_service
  enrol
  start_service
  say "安装完成，客户端会随系统启动。${log_hint:+查看日志：$log_hint}"
  say "卸载：再运行安装命令，末尾改为 sh -s -- --uninstall"
}

main "$@"
