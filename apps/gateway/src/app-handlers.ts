import { handleFiles } from './files/http/handle-files.ts';
import type { AppHandler, AppHandlers } from './http/app-handlers.ts';
import { failureFor, sendProblem } from './http/send-problem.ts';
import { connectRdp } from './screen/connect-rdp.ts';
import { connectVnc } from './screen/connect-vnc.ts';
import { connectScreenControl } from './screen/screen-control.ts';
import { connectTerminal } from './terminal/terminal-connection.ts';

const FILES = 'files/';

const terminal: AppHandler = { sockets: { terminal: connectTerminal } };

const files: AppHandler = {
  async handle(session, request, response, path) {
    if (!path.startsWith(FILES)) return sendProblem(failureFor('request.not-found'), request, response);
    await handleFiles(session, request, response, path.slice(FILES.length));
  },
};

/** How each kind of app is spoken with the browser. */
export const appHandlers: AppHandlers = {
  ssh: terminal,
  telnet: terminal,
  vnc: { sockets: { screen: connectVnc, control: connectScreenControl } },
  rdp: { sockets: { screen: connectRdp, control: connectScreenControl } },
  sftp: files,
  webdav: files,
  smb: files,
};
