import { FolderAddOutlined } from '@ant-design/icons';
import { Button, Spin } from 'antd';
import type { FileEntry } from '@tongtu/contract';
import { useEffect, useMemo } from 'react';
import { errorText } from '../../../api/index.ts';
import { filesText } from '../../../text/cloud-apps/files.ts';
import { LoadFailure } from '../../../ui/page/load-failure.tsx';
import type { AppScreenProps } from '../app-screen.ts';
import { ScreenFrame } from '../screen-frame.tsx';
import { IdleNotice } from '../connecting/idle-notice.tsx';
import { LoginPanel } from '../connecting/login-panel.tsx';
import { useSessionWatch } from '../connecting/use-session-watch.ts';
import { useTargetLogin } from '../connecting/use-target-login.ts';
import { EntryGrid } from './entries/entry-grid.tsx';
import { useEntries } from './entries/use-entries.ts';
import { createFilesClient } from './files-client.ts';
import styles from './files.module.css';
import { PathBar } from './path-bar.tsx';
import { Tool, Toolbar } from './toolbar.tsx';
import { DropZone } from './uploads/drop-zone.tsx';
import { readChosen, readDropped } from './uploads/read-dropped.ts';
import { UploadButton } from './uploads/upload-button.tsx';
import { UploadPanel } from './uploads/upload-panel.tsx';
import { useUploads } from './uploads/use-uploads.ts';
import { useFileActions } from './use-file-actions.tsx';
import { useFolder } from './use-folder.ts';
import { FileNamesContext } from './use-file-names.ts';
import { useListing } from './use-listing.ts';

/** The file manager: the files of an SFTP, WebDAV or SMB server. */
export function FilesScreen({ session, notice, onEnded }: AppScreenProps) {
  const client = useMemo(() => createFilesClient(session), [session]);
  const watch = useSessionWatch(session, { path: 'files/watch', onEnded });
  const connection = useTargetLogin(client, session.app);
  const firstPath = connection.stage.type === 'connected' ? connection.stage.path : undefined;
  const { path, go, from } = useFolder(firstPath);
  const listing = useListing(client, firstPath === undefined ? undefined : path);
  const { noticeError } = connection;
  const { error } = listing.query;
  useEffect(() => noticeError(error), [noticeError, error]);
  const entries = useEntries(path, listing.entries, from);
  const { actions, newFolder, dialog } = useFileActions({ client, folder: path ?? '/', go, select: entries.select });
  const uploads = useUploads({ client, isConnected: connection.stage.type === 'connected', folder: path });
  const selected = useMemo(
    () => entries.shown.filter(({ name }) => entries.selection.selected.has(name)),
    [entries.shown, entries.selection],
  );

  return (
    <FileNamesContext value={client.names}>
      <ScreenFrame
        app={session.app}
        tools={null}
        notices={
          <>
            {notice}
            {watch.warning && (
              <IdleNotice key={watch.warning.number} seconds={watch.warning.seconds} onStay={watch.stay} />
            )}
          </>
        }
      >
        <DropZone
          className={styles.screen}
          onDrop={(transfer) => void uploads.upload((onFound) => readDropped(transfer, onFound))}
        >
          <PathBar
            path={path ?? '/'}
            isLoading={listing.query.isFetching}
            onUp={actions.leave}
            onRefresh={() => void listing.query.refetch()}
          />
          <Toolbar entries={entries} selected={selected} actions={actions}>
            <UploadButton onChosen={(files) => void uploads.upload((onFound) => readChosen(files, onFound))} />
            <Tool label={filesText.newFolder} icon={<FolderAddOutlined />} onClick={newFolder} />
          </Toolbar>
          <EntryGrid entries={entries} actions={actions} isLoading={listing.query.isPending}>
            <InsteadOfEntries
              listing={listing}
              entries={entries}
              onFirst={firstPath === undefined || firstPath === path ? undefined : () => go(firstPath)}
            />
          </EntryGrid>
          <footer className={styles.foot}>
            <span role="status">{countText(entries.shown, listing.entries)}</span>
            {listing.freeBytes !== null && <span>{filesText.free(listing.freeBytes)}</span>}
          </footer>
          <UploadPanel queue={uploads.queue} />
          <LoginPanel connection={connection} app={session.app} />
        </DropZone>
        {dialog}
      </ScreenFrame>
    </FileNamesContext>
  );
}

function countText(shown: readonly FileEntry[], all: readonly FileEntry[]): string {
  return shown.length === all.length ? filesText.count(all.length) : filesText.countOf(shown.length, all.length);
}

type InsteadOfEntriesProps = {
  listing: ReturnType<typeof useListing>;
  entries: ReturnType<typeof useEntries>;
  onFirst: (() => void) | undefined;
};

/** In a folder that shows no entries: why. */
function InsteadOfEntries({ listing, entries, onFirst }: InsteadOfEntriesProps) {
  const { query } = listing;
  if (query.error) {
    return (
      <LoadFailure
        title={filesText.loadFailed}
        text={errorText(query.error)}
        query={query}
        more={onFirst && <Button onClick={onFirst}>{filesText.toFirst}</Button>}
      />
    );
  }
  if (query.isPending) {
    return (
      <div className={styles.hint} role="status">
        <Spin size="small" /> {filesText.loading}
      </div>
    );
  }
  if (listing.entries.length > 0) {
    return (
      <div className={styles.hint}>
        <p>{filesText.noMatch}</p>
        <Button size="small" onClick={() => entries.setFilter('')}>
          {filesText.clearFilter}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.hint}>
      <p>{filesText.empty}</p>
      <p>{filesText.emptyHint}</p>
    </div>
  );
}
