import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import type { Device, DeviceConnection, Diagnosis } from '@tongtu/contract';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../../api/index.ts';
import { diagnosisText } from '../../../text/devices/diagnosis.ts';
import { sharedText } from '../../../text/shared.ts';
import { downloadText } from '../../../ui/copy/download-text.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../ui/mono.tsx';
import { StateTag } from '../../../ui/state-tag.tsx';
import { DeviceStateLine } from '../device-card/device-state-line.tsx';
import { Listed } from '../sharing/listed.tsx';
import styles from './diagnosis.module.css';
import { connectionLines, diagnosisFile, factsOf, isClockWrong, secondText, triedGroups } from './diagnosis-lines.ts';
import { LineQuality } from './line-quality.tsx';
import { FrpcProblems } from './frpc-problems.tsx';
import { canDiagnose, useConnections, useDiagnosis } from './use-diagnosis.ts';

const dialogWidthPx = 720;
const dialogStyle = { top: 40 };
/** Of each list; the file has all. */
const shownAtFirst = 10;

/** What the device finds out about its connection now, and what the server has recorded of it. */
export function DiagnosisDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const diagnosis = useDiagnosis(device);
  const connections = useConnections(device.id);
  const failure = failureOf(device, diagnosis.error);

  function download() {
    const content = { device, diagnosis: diagnosis.data, failure, connections: connections.data ?? [] };
    downloadText(`tongtu-${device.uid}-diagnosis.txt`, diagnosisFile({ ...content, now: new Date() }), 'text/plain');
  }

  return (
    <Dialog
      title={diagnosisText.title(device.name)}
      width={dialogWidthPx}
      style={dialogStyle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{sharedText.close}</Button>
          <Button icon={<DownloadOutlined />} disabled={diagnosis.isFetching || !connections.data} onClick={download}>
            {diagnosisText.download}
          </Button>
          {canDiagnose(device) && (
            <Button type="primary" loading={diagnosis.isFetching} onClick={() => void diagnosis.refetch()}>
              {diagnosisText.again}
            </Button>
          )}
        </>
      }
    >
      <DeviceStateLine device={device} />
      <p className={styles.hint}>{diagnosisText.safeToShare}</p>
      <section className={styles.section} aria-label={diagnosisText.own}>
        <h3>{diagnosisText.own}</h3>
        <div aria-live="polite" className={styles.verdict}>
          {diagnosis.isFetching && <Alert type="info" showIcon title={diagnosisText.running} />}
          {!diagnosis.isFetching && failure !== '' && (
            <Alert type={canDiagnose(device) ? 'error' : 'info'} showIcon title={failure} />
          )}
          {device.program !== 'agent' && !device.online && <FrpcProblems />}
        </div>
        {!diagnosis.isFetching && diagnosis.data && failure === '' && <OwnDiagnosis diagnosis={diagnosis.data} />}
      </section>
      <section className={styles.section} aria-label={diagnosisText.connections}>
        <h3>{diagnosisText.connections}</h3>
        <Connections query={connections} />
      </section>
    </Dialog>
  );
}

function failureOf(device: Device, error: unknown): string {
  if (device.program === 'frpc') return diagnosisText.frpc;
  if (!device.online) return diagnosisText.offline;
  return error ? errorText(error) : '';
}

function OwnDiagnosis({ diagnosis }: { diagnosis: Diagnosis }) {
  return (
    <>
      <dl className={styles.facts}>
        {factsOf(diagnosis).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={label === diagnosisText.facts.clock && isClockWrong(diagnosis) ? styles.wrong : undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {triedGroups(diagnosis).map(({ title, tried }) => (
        <div key={title}>
          <h4>{title}</h4>
          {tried.length === 0 && <p className={styles.hint}>{diagnosisText.nothingToTry}</p>}
          <ul className={styles.list}>
            {tried.map(({ name, ok, ms, text }) => (
              <li key={name} className={styles.row}>
                <StateTag tone={ok ? 'good' : 'bad'}>{ok ? diagnosisText.passed : diagnosisText.failedWord}</StateTag>
                <Mono>{name}</Mono>
                <span className={styles.ms}>{diagnosisText.elapsed(ms)}</span>
                <bdi className={styles.detail}>{text}</bdi>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <LineQuality diagnosis={diagnosis} />
      <h4>{diagnosisText.history}</h4>
      {diagnosis.history.length === 0 && <p className={styles.hint}>{diagnosisText.noHistory}</p>}
      <LongList
        items={diagnosis.history}
        renderItem={({ at, text }, index) => (
          <li key={index} className={styles.row}>
            <time dateTime={at}>{secondText(at)}</time>
            <bdi className={styles.detail}>{text}</bdi>
          </li>
        )}
      />
    </>
  );
}

function Connections({ query }: { query: ReturnType<typeof useConnections> }) {
  if (query.data === undefined || query.data.length === 0)
    return (
      <Listed<DeviceConnection>
        query={query}
        failed={diagnosisText.connectionsFailed}
        empty={diagnosisText.noConnections}
        renderItem={() => null}
      />
    );
  return (
    <LongList
      items={connectionLines(query.data)}
      renderItem={({ at, online, word, details }, index) => (
        <li key={index} className={styles.row}>
          <time dateTime={at}>{secondText(at)}</time>
          <StateTag tone={online ? 'good' : 'bad'}>{word}</StateTag>
          <span className={styles.detail}>{details.join('，')}</span>
        </li>
      )}
    />
  );
}

type LongListProps<Item> = { items: readonly Item[]; renderItem: (item: Item, index: number) => ReactNode };

/** The first items, and all on demand. */
function LongList<Item>({ items, renderItem }: LongListProps<Item>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, shownAtFirst);
  return (
    <>
      <ul className={styles.list}>{shown.map(renderItem)}</ul>
      {shown.length < items.length && (
        <Button type="link" size="small" onClick={() => setIsWhole(true)}>
          {diagnosisText.more(items.length)}
        </Button>
      )}
    </>
  );
}
