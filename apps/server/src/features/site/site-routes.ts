import type { Registration } from '@tongtu/contract';
import type { FastifyInstance } from 'fastify';
import { ensureBrowser } from '../../http/browser/browser-cookie.ts';
import { mount } from '../../http/mount.ts';
import { ssoUrlOf, type WechatConfig } from '../sso/index.ts';

export type SiteRoutesDeps = {
  version: string;
  billing: 'off' | 'on';
  baseDomain: string;
  publicUrl: string;
  publicPorts: { from: number; to: number };
  wechat: WechatConfig | undefined;
  readRegistration: () => Promise<Registration>;
  hasAdministratorLoggedIn: () => Promise<boolean>;
  messages: { sms: object | undefined; mail: object | undefined; phoneRegions: string[] };
};

/** The settings that the console needs before a login. */
export function registerSiteRoutes(app: FastifyInstance, deps: SiteRoutesDeps): void {
  mount(app, 'GET /api/site/config/', { login: 'optional' }, async ({ req, reply }) => {
    // Before the login sends several calls at once: each would set another cookie, and a captcha is bound to one.
    ensureBrowser({ req, reply });
    return {
      version: deps.version,
      billing: deps.billing,
      base_domain: deps.baseDomain,
      console_url: deps.publicUrl,
      mapping_ports: deps.publicPorts,
      sso_url: ssoUrlOf(deps.wechat),
      phone_login: deps.messages.sms !== undefined,
      phone_regions: deps.messages.phoneRegions,
      mail_codes: deps.messages.mail !== undefined,
      registration: await deps.readRegistration(),
      has_administrator: await deps.hasAdministratorLoggedIn(),
    };
  });
}
