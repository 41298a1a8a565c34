import { withoutLinks } from '@tongtu/base';

type LinkMail = { to: string; url: string; validHours: number };

export function invitationMail({ to, url, inviter, validHours }: LinkMail & { inviter: string }) {
  return {
    to,
    subject: '通途：邀请您注册账号',
    text: `${withoutLinks(inviter)} 邀请您使用 ${new URL(url).host} 的通途账号。\n\n请打开下面的链接，设置自己的用户名和密码。${lifeText(validHours)}\n\n${url}\n\n如果您不知道这是什么，请忽略这封邮件。\n`,
    code: url,
  };
}

export function passwordMail({ to, url, username, validHours }: LinkMail & { username: string }) {
  return {
    to,
    subject: '通途：重设密码',
    text: `您的账号 ${withoutLinks(username)} 正在重设密码（${new URL(url).host}）。\n\n请打开下面的链接，设置新密码。${lifeText(validHours)}\n\n${url}\n\n如果不是您本人在操作，请忽略这封邮件：不打开链接，密码就不会改变。\n`,
    code: url,
  };
}

function lifeText(hours: number): string {
  const life = hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`;
  return `链接只能使用一次，${life}内有效：`;
}
