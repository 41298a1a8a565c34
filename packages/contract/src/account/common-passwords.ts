/**
 * Words that many passwords are made of, with digits and signs around them: the product's names, and the words behind the
 * most frequent passwords of published lists, such as those of SecLists and of Chinese sites. Runs of keys and of digits
 * need no line here. In the form of `fold` in password-weakness.ts: lower case, with letters for the digits and signs
 * that stand for them.
 */
export const productWords = ['tongtu', '通途', 'tongtusuidao'];

export const commonWords = [
  ...['password', 'passwd', 'passwort', 'passphrase', 'passcode', 'pass', 'secret', 'login', 'welcome', 'letmein'],
  ...['admin', 'administrator', 'root', 'toor', 'user', 'username', 'guest', 'test', 'tester', 'testing', 'demo'],
  ...['default', 'changeme', 'change', 'temp', 'temporary', 'access', 'system', 'manager', 'master', 'support'],
  ...['service', 'server', 'router', 'office', 'company', 'school', 'private', 'public', 'security', 'internet'],
  ...['computer', 'home', 'family', 'house', 'network', 'wireless', 'wifi', 'tunnel', 'remote', 'desktop'],
  ...['synology', 'diskstation', 'qnap', 'openwrt', 'fnos', 'unraid', 'truenas', 'raspberry', 'homeassistant'],
  ...['microsoft', 'windows', 'linux', 'ubuntu', 'debian', 'oracle', 'mysql', 'postgres', 'cisco', 'google'],
  ...['facebook', 'apple', 'iphone', 'android', 'samsung', 'huawei', 'xiaomi', 'lenovo', 'tencent', 'weixin'],
  ...['wechat', 'taobao', 'alipay', 'alibaba', 'zhifubao', 'jingdong', 'baidu', 'douyin', 'bilibili'],
  ...['iloveyou', 'loveyou', 'love', 'lovely', 'lover', 'forever', 'trustno', 'whatever', 'hello', 'freedom'],
  ...['monkey', 'dragon', 'tiger', 'eagle', 'panda', 'phoenix', 'falcon', 'shadow', 'killer', 'hunter', 'ninja'],
  ...['sunshine', 'summer', 'winter', 'spring', 'autumn', 'flower', 'rainbow', 'princess', 'angel', 'baby', 'queen'],
  ...['football', 'baseball', 'basketball', 'soccer', 'hockey', 'jordan', 'superman', 'batman', 'spiderman'],
  ...['starwars', 'pokemon', 'matrix', 'mustang', 'ferrari', 'porsche', 'mercedes', 'toyota', 'yamaha', 'harley'],
  ...['charlie', 'michael', 'michelle', 'daniel', 'thomas', 'robert', 'andrew', 'george', 'joshua', 'matthew'],
  ...['jessica', 'jennifer', 'ashley', 'amanda', 'nicole', 'william', 'anthony', 'justin', 'buster', 'maggie'],
  ...['cookie', 'banana', 'orange', 'cheese', 'chocolate', 'pepper', 'ginger', 'computer', 'letmeinnow', 'money'],
  ...['china', 'zhongguo', 'beijing', 'shanghai', 'shenzhen', 'guangzhou', 'hangzhou', 'chengdu', 'wuhan', 'nanjing'],
  ...['mima', 'wodemima', 'nihao', 'woaini', 'woaiwojia', 'woaiwo', 'aini', 'baobao', 'baobei', 'laopo', 'laogong'],
  ...['mama', 'baba', 'xiaoming', 'xiaohong', 'xiaolong', 'wangwei', 'zhangwei', 'liwei', 'zhangsan', 'lisi', 'wangwu'],
  ...['密码', '管理员', '我爱你', '你好'],
  // Numbers that are read aloud (一生一世, 我爱你), dates and patterns of the number pad.
  ...['5201314', '1314520', '1314521', '520520', '1314', '520', '147258369', '147258', '258369', '159357', '7758521'],
  ...[
    '7758258',
    '741852963',
    '789456',
    '456789',
    '147852',
    '369258147',
    '110110',
    '119119',
    '168168',
    '888888',
    '666666',
  ],
];
