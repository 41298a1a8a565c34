import type { AppHandler, AppHandlers } from './http/app-handlers.ts';
import { failureFor, sendProblem } from './http/send-problem.ts';

const FILES = 'files/';
const DOWNLOADS = 'downloads/';

// Each protocol is loaded when it is first used, because most installations use a few of them.

const terminal: AppHandler = {
  sockets: { terminal: async () => (await import('./terminal/terminal-connection.ts')).connectTerminal },
};

const files: AppHandler = {
  sockets: { 'files/watch': async () => (await import('./session/watch-session.ts')).watchSession },
  async handle(session, request, response, path) {
    if (!path.startsWith(FILES)) return sendProblem(failureFor('request.not-found'), request, response);
    const { handleFiles } = await import('./files/http/handle-files.ts');
    await handleFiles(session, request, response, path.slice(FILES.length));
  },
};

const aria2: AppHandler = {
  sockets: { 'downloads/watch': async () => (await import('./aria2/watch-downloads.ts')).watchDownloads },
  async handle(session, request, response, path) {
    if (!path.startsWith(DOWNLOADS)) return sendProblem(failureFor('request.not-found'), request, response);
    const { handleDownloads } = await import('./aria2/handle-downloads.ts');
    await handleDownloads(session, request, response, path.slice(DOWNLOADS.length));
  },
};

const control = async () => (await import('./screen/screen-control.ts')).connectScreenControl;

/** How each kind of app is spoken with the browser. */
export const appHandlers: AppHandlers = {
  ssh: terminal,
  telnet: terminal,
  vnc: { sockets: { screen: async () => (await import('./screen/connect-vnc.ts')).connectVnc, control } },
  rdp: { sockets: { screen: async () => (await import('./screen/connect-rdp.ts')).connectRdp, control } },
  aria2,
  sftp: files,
  webdav: files,
  smb: files,
  wol: {}, // it has no sessions
};
