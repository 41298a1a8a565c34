/** What stands in the windows of other programs, as their Chinese editions name it. */
export const drawingText = {
  synology: {
    title: '控制面板 · 任务计划',
    create: '新增',
    triggered: '触发的任务　▸',
    script: '用户定义的脚本',
    user: '用户账号',
    command: '运行命令',
    ok: '确定',
  },
  qnap: { overview: '概览', containers: '容器', applications: '应用程序', create: '创建' },
  windows: { devices: '设备管理器', terminal: '终端', admin: '终端管理员', rightClick: '在“开始”上点右键' },
};
