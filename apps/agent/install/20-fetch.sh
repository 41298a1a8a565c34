# Downloads: curl or wget, whichever is there, and only from SERVER_URL.

fetch() { # path on the server, file
  attempt=1
  while ! fetch_once "$SERVER_URL$1" "$2"; do
    [ "$attempt" -lt 3 ] || return 1
    attempt=$((attempt + 1))
    sleep 1
  done
}

fetch_once() { # url, file
  if has curl; then
    curl -fsSL --connect-timeout 15 --speed-limit 500 --speed-time 60 -o "$2" "$1"
  elif has wget; then
    # Not for all: the wget of busybox 1.35 crashes with -T.
    if wget --version 2>/dev/null | grep -q GNU; then set -- "$@" -T 60; fi
    url=$1 file=$2
    shift 2
    wget -q "$@" -O "$file" "$url"
  else
    fail '需要 curl 或 wget'
  fi
}

sha256_of() { # file
  if has sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif has openssl; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  elif [ -n "${node:-}" ]; then
    "$node" -e 'console.log(require("crypto").createHash("sha256").update(require("fs").readFileSync(0)).digest("hex"))' <"$1"
  else
    fail '这台设备没有 sha256sum、openssl 或 shasum，无法校验下载的文件'
  fi
}

check_hash() { # file, hash
  found=$(sha256_of "$1")
  [ "$found" = "$2" ] || fail "下载的文件校验不一致，可能已损坏或被篡改（应为 $2，实为 $found）"
}

megabytes() { say "$((($1 + 999999) / 1000000)) MB"; }

check_space() { # bytes
  # The fields of a line of df: file system, size, used, available. Unknown forms are let pass.
  free_kb=$(df -Pk "$dir" 2>/dev/null | tail -n 1 | tr -s ' ' | cut -d ' ' -f 4)
  case "$free_kb" in '' | *[!0-9]*) return 0 ;; esac
  [ "$free_kb" -ge $(($1 / 1024)) ] ||
    fail "空间不足：$dir 需要 $(megabytes "$1")，只剩 $(megabytes $((free_kb * 1024)))。请清理，或用 --dir 指定另一个目录"
}

install_agent() {
  draft="$dir/.$AGENT_FILE.$$"
  fetch "/agent/$AGENT_FILE" "$draft" || fail "无法从 $SERVER_URL 下载客户端到 $dir"
  check_hash "$draft" "$AGENT_SHA256"
  chmod 755 "$draft"
  mv -f "$draft" "$dir/$AGENT_FILE"
  write_starter
  say "客户端已安装到 $dir"
}

# What services start. `keep` starts the agent again whenever it ends, where the init system does not.
write_starter() {
  draft="$dir/.$SERVICE.$$"
  cat >"$draft" <<STARTER || fail "无法写入 $dir"
#!/bin/sh
# One heap of malloc and few threads: the agent of an idle device shall need little memory.
export MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 UV_THREADPOOL_SIZE=2
export TONGTU_STATE='$state' TONGTU_SUPERVISED=1
if [ "\${1:-}" != keep ]; then
  # Whoever starts this without \`keep\` starts it again by itself: systemd, procd and the like.
  exec '$node' $NODE_OPTIONS_OF_AGENT '$dir/$AGENT_FILE' "\$@"
fi
trap 'trap - TERM INT; kill "\$child" 2>/dev/null; wait "\$child"; exit 0' TERM INT
# Until it is uninstalled, which may be during the pause below.
while [ -e '$dir/$AGENT_FILE' ]; do
  '$node' $NODE_OPTIONS_OF_AGENT '$dir/$AGENT_FILE' &
  child=\$!
  code=0
  wait "\$child" || code=\$?
  # Wrong usage, a bad token, a deleted device: trying again would change nothing.
  case "\$code" in 0 | 2 | 3 | 4) exit "\$code" ;; esac
  sleep 5
done
STARTER
  chmod 755 "$draft"
  mv -f "$draft" "$dir/$SERVICE"
}

remove_leftovers() { rm -f "${draft:-}" "${packed:-}"; }
