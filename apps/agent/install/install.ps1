# Installs the Tongtu agent on Windows from the server that handed out this script; a second run upgrades it.
# Usage (PowerShell as administrator): $env:TONGTU_TOKEN='<token>'; irm <server>/agent/install.ps1 | iex
# $env:TONGTU_PIN trusts only a server with this key, $env:TONGTU_NAME names the device,
# $env:TONGTU_UNINSTALL='1' removes everything.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Install-Tongtu {
  $server = '__SERVER_URL__'
  $agentSha256 = '__AGENT_SHA256__'
  $task = 'Tongtu Agent'
  $dir = Join-Path $env:ProgramData 'Tongtu'
  $state = Join-Path $dir 'state'
  $token = $env:TONGTU_TOKEN
  # Its children shall not inherit it; the agent is given it where it needs it.
  Remove-Item Env:TONGTU_TOKEN -ErrorAction SilentlyContinue

  $user = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
  if (-not $user.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw '请以管理员身份运行 PowerShell，再粘贴这一行'
  }

  $known = Get-ScheduledTask -TaskName $task -ErrorAction SilentlyContinue
  if ($known) {
    Stop-ScheduledTask -TaskName $task
    Wait-TongtuStopped $dir
  }
  if ($env:TONGTU_UNINSTALL -eq '1') {
    if ($known) { Unregister-ScheduledTask -TaskName $task -Confirm:$false }
    Remove-Item -Recurse -Force $dir -ErrorAction SilentlyContinue
    Write-Host '通途客户端、计划任务和设备身份都已删除。如果不再使用这台设备，请在控制台里也删除它'
    return
  }

  # Only the system and administrators may read the device's identity.
  New-Item -ItemType Directory -Force -Path $dir | Out-Null
  & icacls $dir /inheritance:r /grant '*S-1-5-18:(OI)(CI)F' '*S-1-5-32-544:(OI)(CI)F' | Out-Null

  $node = Get-Command node -ErrorAction SilentlyContinue | Select-Object -First 1 -ExpandProperty Source
  # A Node.js in somebody's home is not for a task of the system.
  if ($node -and $node -like "$env:USERPROFILE*") { $node = $null }
  if ($node -and [int](& $node -p 'process.versions.node.split(".")[0]') -lt 20) { $node = $null }
  if (-not $node) {
    $node = Join-Path $dir 'node.exe'
    Install-TongtuRuntime $server $dir $node
  }

  $agent = Join-Path $dir 'tongtu-agent.mjs'
  Save-TongtuFile "$server/agent/tongtu-agent.mjs" "$agent.new" $agentSha256
  Move-Item -Force "$agent.new" $agent

  $env:TONGTU_SERVER = $server
  $env:TONGTU_TOKEN = $token
  try {
    Write-Host '正在连接服务器…'
    if ($token -or -not (Test-Path (Join-Path $state 'agent.json'))) {
      $within = if ($token) { 45 } else { 600 }
      & $node $agent --state $state --online-within $within
      if ($LASTEXITCODE -ne 0) { throw "客户端没有连上服务器，原因见上（退出码 $LASTEXITCODE）" }
    }
  } finally {
    Remove-Item Env:TONGTU_TOKEN, Env:TONGTU_SERVER -ErrorAction SilentlyContinue
  }

  $action = New-ScheduledTaskAction -Execute $node -Argument "`"$agent`" --state `"$state`"" -WorkingDirectory $dir
  $trigger = New-ScheduledTaskTrigger -AtStartup
  $settings = New-ScheduledTaskSettingsSet -RestartCount 999 -RestartInterval (New-TimeSpan -Minutes 1) `
    -ExecutionTimeLimit ([TimeSpan]::Zero) -AllowStartIfOnBatteries -DontStopIfGoingOnBatteries
  Register-ScheduledTask -TaskName $task -Action $action -Trigger $trigger -Settings $settings `
    -User 'S-1-5-18' -RunLevel Highest -Force | Out-Null
  Start-ScheduledTask -TaskName $task
  Write-Host "安装完成，客户端会随系统启动（计划任务 $task）。"
}

# The old process holds its files and the device's connection until it has ended, a moment after its task.
function Wait-TongtuStopped($dir) {
  for ($asked = 0; $asked -lt 60; $asked++) {
    $running = @(Get-CimInstance Win32_Process -Filter "Name='node.exe'" |
        Where-Object { $_.CommandLine -and $_.CommandLine.Contains($dir) })
    if ($running.Count -eq 0) { return }
    if ($asked -eq 0) { Write-Host '正在等待原来的客户端停下…' }
    # It has had 10 seconds.
    if ($asked -ge 20) { $running | ForEach-Object { Stop-Process -Id $_.ProcessId -Force -ErrorAction SilentlyContinue } }
    Start-Sleep -Milliseconds 500
  }
  throw '原来的客户端没有停下，请重启电脑后再粘贴一次'
}

# Waits until the server has fetched and packed Node.js, which it does once for each platform.
function Install-TongtuRuntime($server, $dir, $node) {
  for ($asked = 0; $asked -lt 60; $asked++) {
    $words = (Invoke-RestMethod -UseBasicParsing "$server/agent/runtime/win-x64").Trim().Split(' ')
    if ($words[0] -ne 'preparing') { break }
    if ($asked -eq 0) { Write-Host '服务器正在准备 Node.js，只在第一次需要，请稍候…' }
    Start-Sleep -Seconds 1
  }
  if ($words[0] -ne 'ready') { throw "服务器没有准备好 Node.js（$words）。请稍后再试，或先从 https://nodejs.org 安装 Node.js" }
  $megabytes = [math]::Ceiling($words[3] / 1MB)
  Write-Host "这台电脑没有 Node.js 20 或更新版本：从 $server 下载 Node.js $($words[1])（$megabytes MB）"
  $packed = Join-Path $dir 'node.gz'
  Save-TongtuFile "$server/agent/runtime/win-x64/node.gz" $packed $words[2]
  $from = [IO.File]::OpenRead($packed)
  $to = [IO.File]::Create("$node.new")
  try {
    $gzip = New-Object IO.Compression.GZipStream($from, [IO.Compression.CompressionMode]::Decompress)
    $gzip.CopyTo($to)
  } finally {
    $to.Close()
    $from.Close()
  }
  Remove-Item $packed
  Move-Item -Force "$node.new" $node
}

function Save-TongtuFile($url, $file, $sha256) {
  Invoke-WebRequest -UseBasicParsing -Uri $url -OutFile $file
  $found = (Get-FileHash -Algorithm SHA256 $file).Hash.ToLowerInvariant()
  if ($found -ne $sha256) {
    Remove-Item $file
    throw "下载的文件校验不一致，可能已损坏或被篡改（应为 $sha256，实为 $found）"
  }
}

try { Install-Tongtu } catch { Write-Host "安装失败：$($_.Exception.Message)" -ForegroundColor Red }
