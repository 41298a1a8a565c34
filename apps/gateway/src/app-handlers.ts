import { handleDownloads } from './aria2/handle-downloads.ts';
import { watchDownloads } from './aria2/watch-downloads.ts';
import { handleFiles } from './files/http/handle-files.ts';
import type { AppHandler, AppHandlers } from './http/app-handlers.ts';
import { failureFor, sendProblem } from './http/send-problem.ts';
import { connectRdp } from './screen/connect-rdp.ts';
import { connectVnc } from './screen/connect-vnc.ts';
import { connectScreenControl } from './screen/screen-control.ts';
import { watchSession } from './session/watch-session.ts';
import { connectTerminal } from './terminal/terminal-connection.ts';

const FILES = 'files/';
const DOWNLOADS = 'downloads/';

// All protocols are loaded as the process starts. They take 25 MB together, but to load one of them later would hold up
// all sessions for up to 140 ms.

const terminal: AppHandler = { sockets: { terminal: connectTerminal } };

const files: AppHandler = {
  sockets: { 'files/watch': watchSession },
  async handle(session, request, response, path) {
    if (!path.startsWith(FILES)) return sendProblem(failureFor('request.not-found'), request, response);
    await handleFiles(session, request, response, path.slice(FILES.length));
  },
};

const aria2: AppHandler = {
  sockets: { 'downloads/watch': watchDownloads },
  async handle(session, request, response, path) {
    if (!path.startsWith(DOWNLOADS)) return sendProblem(failureFor('request.not-found'), request, response);
    await handleDownloads(session, request, response, path.slice(DOWNLOADS.length));
  },
};

/** How each kind of app is spoken with the browser. */
export const appHandlers: AppHandlers = {
  ssh: terminal,
  telnet: terminal,
  vnc: { sockets: { screen: connectVnc, control: connectScreenControl } },
  rdp: { sockets: { screen: connectRdp, control: connectScreenControl } },
  aria2,
  sftp: files,
  webdav: files,
  smb: files,
  wol: {}, // it has no sessions
};
