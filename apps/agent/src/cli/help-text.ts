export const helpText = `通途客户端：让家里的设备可以从任何浏览器访问

用法：
  tongtu-agent --server <服务器地址> --token <令牌> --state <状态目录>   首次运行，绑定这台设备
  tongtu-agent --server <服务器地址> --state <状态目录>                  首次运行，没有令牌：显示一个链接，在浏览器里确认
  tongtu-agent --state <状态目录>                                       以后运行，不再需要令牌
  tongtu-agent --state <状态目录> --diagnose                            检查为什么连不上，不影响正在运行的客户端

选项：
  --server <地址>   控制台的地址，例如 https://tongtu.example.com   （或环境变量 TONGTU_SERVER）
  --token <令牌>    控制台“添加设备”里的接入密钥，或账号令牌        （或环境变量 TONGTU_TOKEN）
  --state <目录>    保存设备身份的目录，权限仅限本用户              （或环境变量 TONGTU_STATE）
  --name <名称>     设备在控制台里的名称，默认为主机名                （或环境变量 TONGTU_NAME）
  --pin <指纹>      只信任这个指纹的服务器证书                        （或环境变量 TONGTU_PIN）
  --no-discovery    不允许控制台扫描这个局域网                        （或环境变量 TONGTU_DISCOVERY=off）
  --no-bbr          不为到中继的连接启用拥塞控制 bbr，用系统默认的   （或环境变量 TONGTU_BBR=off）
  --diagnose        显示诊断：版本、系统、域名解析、服务器、中继、线路、时钟和最近的记录，不含令牌和密钥
  --online-within <秒>  上线一次就退出；超时没有上线则以退出码 7 结束。安装脚本用它绑定设备
  -h, --help        显示本说明
  -v, --version     显示版本

命令行参数会被本机的其他用户和 npm 的日志看到，令牌最好用环境变量 TONGTU_TOKEN 提供。

退出码：
  0  正常停止            3  账号令牌或接入密钥无效    5  状态目录无法使用，或正被另一个客户端使用
  1  其他错误            4  设备已被删除或被拒绝      6  服务器证书与绑定时不一致
  2  用法不正确          7  没有在 --online-within 的时间内上线
`;
