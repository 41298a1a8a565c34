import type { AppHandlers } from './http/app-handlers.ts';

/** How each kind of app is spoken with the browser. */
export const appHandlers: AppHandlers = {
  ssh: {},
  telnet: {},
  vnc: {},
  rdp: {},
  sftp: {},
  webdav: {},
  smb: {},
};
