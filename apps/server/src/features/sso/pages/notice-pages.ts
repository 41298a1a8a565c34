import { html } from './html.ts';
import { type PhonePage, renderPhonePage } from './phone-page.ts';

type Notice = Omit<PhonePage, 'more'> & {
  /** Replaces the lines when the login waits in this same browser, so that there is no computer to return to. */
  sameBrowserText: string;
  /** Redirects to the login page after a second. */
  redirects?: true;
};

const notices = {
  unknown: {
    title: '二维码无效',
    mark: 'stopped',
    lines: ['请回到电脑上的登录页面，重新扫码。'],
    sameBrowserText: '请返回通途，重新打开。',
  },
  used: {
    title: '二维码已经用过',
    mark: 'done',
    lines: ['您已在这部手机上确认过了。', '如需再次登录，请在电脑上刷新二维码，重新扫码。'],
    sameBrowserText: '您已经确认过了。',
  },
  expired: {
    title: '二维码已过期',
    mark: 'stopped',
    lines: ['请在电脑上刷新二维码，再扫一次。'],
    sameBrowserText: '请返回通途，重新打开。',
  },
  otherPhone: {
    title: '二维码已被其他手机扫描',
    mark: 'stopped',
    lines: ['请在电脑上刷新二维码，再扫一次。', '如果不是您身边的人扫的，请不要在那台电脑上继续登录。'],
    sameBrowserText: '请返回通途，重新打开。如果不是您身边的人扫的，请不要继续登录。',
  },
  confirmed: {
    title: '已确认登录',
    mark: 'done',
    lines: ['请回到电脑上继续。'],
    sameBrowserText: '正在返回通途…',
    redirects: true,
  },
  cancelled: {
    title: '已取消登录',
    mark: 'stopped',
    lines: ['电脑上不会登录，您可以关闭此页面。'],
    sameBrowserText: '没有登录。',
  },
  codeInvalid: {
    title: '微信授权已失效',
    mark: 'stopped',
    lines: ['请用微信重新扫描电脑上的二维码。'],
    sameBrowserText: '请返回通途，重新打开。',
  },
  snapshot: {
    title: '请使用完整服务',
    mark: 'stopped',
    lines: ['微信目前只是预览此页面。请点页面下方的“使用完整服务”，再扫描一次电脑上的二维码。'],
    sameBrowserText: '微信目前只是预览此页面。请点页面下方的“使用完整服务”，再返回通途，重新打开。',
  },
  busy: {
    title: '暂时连不上微信',
    mark: 'stopped',
    lines: ['请稍等片刻，再扫描一次电脑上的二维码。'],
    sameBrowserText: '请稍等片刻，再返回通途，重新打开。',
  },
  refused: {
    title: '微信登录暂时不可用',
    mark: 'stopped',
    lines: ['请改用其他方式登录，并告诉管理员检查微信登录的设置。'],
    sameBrowserText: '请改用其他方式登录，并告诉管理员检查微信登录的设置。',
  },
} as const satisfies Record<string, Notice>;

export type NoticeName = keyof typeof notices;

/** The console's login page. From there the console returns to wherever the user began the login. */
const LOGIN_PAGE = '/#/login';

/** Renders a page that only informs. `isSameBrowser`: the login waits in this same browser. */
export function renderNotice(name: NoticeName, { isSameBrowser }: { isSameBrowser: boolean }): string {
  const { sameBrowserText, redirects, ...page }: Notice = notices[name];
  if (!isSameBrowser) return renderPhonePage(page);
  return renderPhonePage({
    ...page,
    lines: [sameBrowserText],
    more: html`<p class="back"><a class="button main" href="${LOGIN_PAGE}">返回通途</a></p>`,
    ...(redirects && { refreshTo: LOGIN_PAGE }),
  });
}

export function renderWaiting(): string {
  return renderPhonePage({ title: '请稍候', mark: 'wait', lines: ['正在向微信确认您的身份…'], refreshTo: '' });
}

export function renderNotInWechat({ fakeUrl }: { fakeUrl: string | undefined }): string {
  return renderPhonePage({
    title: '请用微信扫一扫',
    mark: 'scan',
    lines: ['打开手机微信，点右上角的“+”，选择“扫一扫”，扫描电脑上的二维码。'],
    more:
      fakeUrl === undefined
        ? html``
        : html`<p class="development">
            开发环境：微信由本机的替身模拟。<br /><a class="button" href="${fakeUrl}">模拟用微信打开</a>
          </p>`,
  });
}
