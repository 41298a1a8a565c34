import { handleFiles } from './files/http/handle-files.ts';
import { watchSession } from './files/watch-session.ts';
import type { AppHandler, AppHandlers } from './http/app-handlers.ts';
import { sendProblem } from './http/send-problem.ts';
import { connectRdp } from './screen/connect-rdp.ts';
import { connectVnc } from './screen/connect-vnc.ts';
import { answerScreenFailure } from './screen/screen-socket.ts';
import { connectTerminal } from './terminal/terminal-connection.ts';

const FILES = 'files/';

const terminal: AppHandler = { connect: { path: 'terminal', accept: connectTerminal } };

const files: AppHandler = {
  connect: { path: 'files/watch', accept: watchSession },
  async handle(session, request, response, path) {
    if (!path.startsWith(FILES)) return sendProblem(response, 'request.not-found');
    await handleFiles(session, request, response, path.slice(FILES.length));
  },
};

/** How each kind of app is spoken with the browser. */
export const appHandlers: AppHandlers = {
  ssh: terminal,
  telnet: terminal,
  vnc: { connect: { path: 'screen', accept: connectVnc }, handle: answerScreenFailure },
  rdp: { connect: { path: 'screen', accept: connectRdp }, handle: answerScreenFailure },
  sftp: files,
  webdav: files,
  smb: files,
};
