import { Alert } from 'antd';
import { useLastAnswerAt } from '../../api/index.ts';
import { layoutText } from '../../text/layout.ts';
import { momentText } from '../../text/moment-text.ts';
import type { Connection } from './use-connection.ts';

/** Says that the connection is lost, and how old the content is that the console still shows. */
export function ConnectionNotice({ connection }: { connection: Connection }) {
  const lastAnswerAt = useLastAnswerAt();
  if (connection === 'connected') return null;
  const age = lastAnswerAt === undefined ? '' : layoutText.contentFrom(momentText(lastAnswerAt));
  const words = connection === 'offline' ? layoutText.offline : layoutText.serverAway;
  return <Alert banner type="warning" title={`${words}${age}`} />;
}
