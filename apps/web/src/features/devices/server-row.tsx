import type { Server } from '@tongtu/contract';
import { serversText } from '../../text/devices/devices.ts';
import { Mono } from '../../ui/mono.tsx';
import { StateTag, type StateTone } from '../../ui/state-tag.tsx';
import styles from './devices.module.css';
import { useServers } from './use-servers.ts';

/** From this load on visitors notice delays. */
const busyLoad = 0.8;

function stateOf({ state, maintenance, load }: Server): { tone: StateTone; word: string } {
  if (maintenance) return { tone: 'caution', word: serversText.maintenance };
  if (state === 'down') return { tone: 'bad', word: serversText.down };
  if (load >= busyLoad) return { tone: 'caution', word: serversText.busy };
  return { tone: 'good', word: serversText.up };
}

function ServerItem({ server }: { server: Server }) {
  const { tone, word } = stateOf(server);
  return (
    <li className={styles.server}>
      <strong>{server.name}</strong>
      {server.isp !== '' && <span>{server.isp}</span>}
      <Mono>{`*.${server.suffix}`}</Mono>
      <StateTag tone={tone}>{word}</StateTag>
      {server.state === 'up' && <span>{serversText.load(Math.round(server.load * 100))}</span>}
    </li>
  );
}

/** The load of each server. Shows nothing until it is loaded: the devices are more important. */
export function ServerRow() {
  const { data: servers } = useServers();
  if (servers === undefined || servers.length === 0) return null;
  return (
    <ul className={styles.servers} aria-label={serversText.title}>
      {servers.map((server) => (
        <ServerItem key={server.id} server={server} />
      ))}
    </ul>
  );
}
