import { Alert, Button, Spin } from 'antd';
import type { Download, DownloadDetails, DownloadSettings } from '@tongtu/contract';
import type { ReactNode } from 'react';
import { downloadName, downloadsText, speedText } from '../../../../text/cloud-apps/downloads.ts';
import { sharedText } from '../../../../text/shared.ts';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Mono } from '../../../../ui/mono.tsx';
import type { DownloadsClient } from '../downloads-client.ts';
import { percentOf } from '../list/progress-bar.tsx';
import type { ShownDetails } from '../use-downloads.ts';
import styles from './details.module.css';
import { FileSelection } from './file-selection.tsx';
import { OwnLimits } from './own-limits.tsx';

const widthPx = 680;

type DetailsDialogProps = {
  client: DownloadsClient;
  shown: ShownDetails;
  /** Undefined once it is not listed any more. */
  download: Download | undefined;
  onChanged: () => void;
  onClose: () => void;
};

/** One download: where it goes and comes from, its files, its limits. */
export function DetailsDialog({ client, shown, download, onChanged, onClose }: DetailsDialogProps) {
  const { details } = shown;
  const failure = download === undefined ? downloadsText.notListed : shown.failure;
  async function save(settings: Omit<DownloadSettings, 'id'>) {
    await client.setSettings({ id: shown.id, ...settings });
    onChanged();
  }
  return (
    <Dialog
      title={<bdi>{download ? downloadName(download) : downloadsText.details}</bdi>}
      width={widthPx}
      onClose={onClose}
      footer={<Button onClick={onClose}>{sharedText.close}</Button>}
    >
      {failure !== undefined && <Alert type="warning" showIcon title={failure} className={styles.alert ?? ''} />}
      {details === undefined && failure === undefined && <Spin />}
      {details && (
        <>
          <Facts details={details} />
          {download && download.status !== 'complete' && download.status !== 'error' && (
            <OwnLimits details={details} isTorrent={download.is_torrent} onSave={save} />
          )}
          {details.files.length > 0 && download?.is_metadata !== true && (
            <FileSelection
              details={details}
              canSelect={download?.is_torrent === true && isUnfinished(download)}
              onSave={save}
            />
          )}
          <Peers details={details} />
          <Servers details={details} />
        </>
      )}
    </Dialog>
  );
}

function isUnfinished({ status, is_seeding: isSeeding }: Download): boolean {
  return !isSeeding && status !== 'complete' && status !== 'error';
}

function Facts({ details }: { details: DownloadDetails }) {
  return (
    <dl className={styles.facts}>
      <Fact name={downloadsText.savedTo}>
        <Mono>{details.folder}</Mono>
      </Fact>
      {details.info_hash !== null && (
        <Fact name={downloadsText.infoHash}>
          <Mono>{details.info_hash}</Mono>
        </Fact>
      )}
      {details.links.length > 0 && (
        <Fact name={downloadsText.source}>
          {details.links.map((link) => (
            <div key={link}>
              <Mono>{link}</Mono>
            </div>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Peers({ details: { peers } }: { details: DownloadDetails }) {
  if (peers.length === 0) return null;
  return (
    <section>
      <h3 className={styles.title}>{downloadsText.peers(peers.length)}</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{downloadsText.address}</th>
            <th scope="col">{downloadsText.progress}</th>
            <th scope="col">{downloadsText.down}</th>
            <th scope="col">{downloadsText.up}</th>
          </tr>
        </thead>
        <tbody>
          {peers.map((peer) => (
            <tr key={peer.address}>
              <td>
                <Mono>{peer.address}</Mono>
              </td>
              <td>{percentOf(peer.progress, 1)}%</td>
              <td>{speedText(peer.download_speed)}</td>
              <td>{speedText(peer.upload_speed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Servers({ details: { servers } }: { details: DownloadDetails }) {
  if (servers.length === 0) return null;
  return (
    <section>
      <h3 className={styles.title}>{downloadsText.servers(servers.length)}</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{downloadsText.address}</th>
            <th scope="col">{downloadsText.down}</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server, index) => (
            // Several connections may have one address.
            <tr key={index}>
              <td>
                <Mono>{server.address}</Mono>
              </td>
              <td>{speedText(server.download_speed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
