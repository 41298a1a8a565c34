import { type TargetConnected, TargetLogin } from '@tongtu/contract';
import { type FilesCall, readJson } from './files-call.ts';
import { sendJson } from '../../http/send-problem.ts';

/** `POST connect` */
export async function connect(call: FilesCall): Promise<void> {
  const { startPath } = await call.files.connect(await readJson(call, TargetLogin));
  sendJson(call.response, 200, { path: startPath } satisfies TargetConnected);
}
