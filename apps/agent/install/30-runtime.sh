# Node.js: the device's own if it is recent enough, else the one that the server keeps for devices.

# A small heap: an idle device shall need little memory. Node.js 20 knows all of them.
NODE_OPTIONS_OF_AGENT='--max-semi-space-size=1 --optimize-for-size'

is_usable_node() { # program
  [ -x "$1" ] || return 1
  major=$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null) || return 1
  [ "$major" -ge 20 ] 2>/dev/null
}

find_node() {
  for candidate in "$(command -v node || true)" /usr/local/bin/node /usr/bin/node /opt/homebrew/bin/node \
    /var/packages/Node.js_v2*/target/usr/local/bin/node; do
    is_usable_node "$candidate" || continue
    node=$("$candidate" -p 'process.execPath')
    return 0
  done
  return 1
}

# A service without a home cannot run a Node.js that lies in somebody's home (nvm, fnm).
own_node() {
  case "$node" in "$dir"/*) return 0 ;; /root/* | /home/*) ;; *) return 0 ;; esac
  cp -f "$node" "$dir/.node.$$" || fail "无法把 Node.js 复制到 $dir"
  chmod 755 "$dir/.node.$$"
  mv -f "$dir/.node.$$" "$dir/node"
  node="$dir/node"
  "$node" --version >/dev/null || fail 'Node.js 装在用户目录中，服务无法使用；请安装系统级的 Node.js'
}

# Prints the name under which the server keeps Node.js for this machine.
platform_name() {
  [ "$(uname -s)" = Linux ] || return 1
  case "$(uname -m)" in
    # The loader of glibc: Node.js for musl (Alpine, OpenWrt) is not in the registry.
    x86_64 | amd64) [ -e /lib64/ld-linux-x86-64.so.2 ] && say linux-x64 ;;
    aarch64 | arm64) [ -e /lib/ld-linux-aarch64.so.1 ] && say linux-arm64 ;;
    *) return 1 ;;
  esac
}

no_runtime() {
  cat >&2 <<TEXT
安装失败：服务器没有适合这台设备的 Node.js（$(uname -s) $(uname -m)，或使用 musl 的系统）。两种办法：
  一、先装 Node.js 20 或更新版本，再运行本命令：
        Alpine、OpenWrt 25.12 或更新：  apk add nodejs（OpenWrt 为 node）
        OpenWrt 24.10：                 opkg update && opkg install node
        macOS：                         brew install node
        其他系统：                      https://nodejs.org/zh-cn/download
  二、不装 Node.js：改用 frpc 接入，请在控制台的添加设备页面选择 frpc
No Node.js for this machine: install Node.js 20 or newer, or connect it with frpc.
TEXT
  exit 1
}

runtime_failed() { # reason
  case "$1" in
    registry) fail '服务器连不上 npm 源，取不到 Node.js。请稍后再试，或请管理员检查服务器的网络与设置 NPM_REGISTRY（the server cannot reach the npm registry）' ;;
    wrong-archive) fail '服务器从 npm 源取到的 Node.js 校验不一致，没有使用。请联系管理员检查 NPM_REGISTRY（the archive from the npm registry has another hash than the lockfile）' ;;
    disk) fail '服务器的磁盘已满或不可写，无法准备 Node.js。请联系管理员（the disk of the server is full or read-only）' ;;
    unknown) no_runtime ;;
    *) fail "无法识别服务器的应答：$1" ;;
  esac
}

# Asks until the server has fetched and packed Node.js, which it does once for each platform.
ask_for_runtime() { # platform
  answer_file="$dir/.answer.$$"
  asked=0
  while :; do
    fetch "/agent/runtime/$1" "$answer_file" || fail "无法从 $SERVER_URL 下载"
    # ready <version> <sha256> <bytes> <unpacked bytes>, or preparing, or failed <reason>
    read -r answer version sha256 bytes unpacked <"$answer_file" || true
    rm -f "$answer_file"
    case "$answer" in
      ready) return 0 ;;
      preparing)
        [ "$asked" -ne 0 ] || say '服务器正在准备 Node.js，只在第一次需要，请稍候…'
        asked=$((asked + 1))
        # Each answer takes up to 15 seconds.
        [ "$asked" -lt 60 ] || fail '服务器准备 Node.js 用时太久，请稍后再试'
        sleep 1
        ;;
      failed) runtime_failed "$version" ;;
      *) runtime_failed "$answer" ;;
    esac
  done
}

install_runtime() {
  platform=$(platform_name) || no_runtime
  has gzip || has gunzip || fail '需要 gzip 才能解压 Node.js'
  ask_for_runtime "$platform"
  case "$bytes$unpacked" in *[!0-9]*) runtime_failed "$bytes" ;; esac
  if [ -e "$dir/node" ] && [ "$(cat "$dir/node.version" 2>/dev/null)" = "$version $sha256" ] && is_usable_node "$dir/node"; then
    node="$dir/node"
    return 0
  fi
  say "这台设备没有 Node.js 20 或更新版本：从 $SERVER_URL 下载 Node.js $version（$(megabytes "$bytes")，安装后占 $(megabytes "$unpacked")）"
  check_space $((bytes + unpacked + 2000000))
  packed="$dir/.node.gz.$$"
  fetch "/agent/runtime/$platform/node.gz" "$packed" || fail "无法从 $SERVER_URL 下载 Node.js 到 $dir"
  check_hash "$packed" "$sha256"
  draft="$dir/.node.$$"
  gzip -dc <"$packed" >"$draft" || fail "无法把 Node.js 解压到 $dir，可能空间不足"
  rm -f "$packed"
  chmod 755 "$draft"
  "$draft" --version >/dev/null ||
    fail '下载的 Node.js 在这台设备上不能运行，原因见上（常见的是 glibc 低于 2.28，或缺少 libstdc++）。可改用 frpc 接入，请在控制台的添加设备页面选择 frpc'
  mv -f "$draft" "$dir/node"
  say "$version $sha256" >"$dir/node.version"
  node="$dir/node"
}
