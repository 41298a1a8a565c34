import { Button, Select } from 'antd';
import type { AuditEntry } from '@tongtu/contract';
import { useState } from 'react';
import { useSiteConfig } from '../../../api/index.ts';
import { auditGroups, auditText } from '../../../text/management/audit.ts';
import { momentText } from '../../../text/moment-text.ts';
import { Mono } from '../../../ui/mono.tsx';
import { ManageFrame } from '../frame/manage-frame.tsx';
import { ManagedList } from '../frame/managed-list.tsx';
import { useListState } from '../frame/use-list-state.ts';
import styles from '../frame/frame.module.css';
import { AuditDialog } from './audit-dialog.tsx';
import { actionText } from './audit-facts.ts';
import { useAudit } from './use-audit.ts';

/** For staff: who did what. */
export function AuditPage() {
  const [opened, setOpened] = useState<AuditEntry>();
  return (
    <ManageFrame title={auditText.title}>
      <p className={styles.hint}>{auditText.hint}</p>
      <Entries onOpen={setOpened} />
      {opened && <AuditDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </ManageFrame>
  );
}

function Entries({ onOpen }: { onOpen: (entry: AuditEntry) => void }) {
  const hasShop = useSiteConfig()?.billing === 'on';
  const { filters, setFilters, page, setPage, range } = useListState<{ search: string; action: string | undefined }>({
    search: '',
    action: undefined,
  });
  const { search, action } = filters;
  const query = useAudit({
    ...range,
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(action !== undefined && { action }),
  });
  return (
    <ManagedList
      title={auditText.title}
      failed={auditText.failed}
      count={auditText.count}
      query={query}
      page={page}
      onPage={setPage}
      search={{ label: auditText.search, value: search, onChange: (text) => setFilters({ search: text }) }}
      filters={
        <Select<string>
          allowClear
          aria-label={auditText.group}
          placeholder={auditText.everyGroup}
          options={auditGroups
            .filter(({ isOfShop }) => hasShop || !isOfShop)
            .map(({ value, label }) => ({ value, label }))}
          onChange={(value: string | undefined) => setFilters({ action: value })}
        />
      }
    >
      {(entry) => <EntryRow key={entry.id} entry={entry} onOpen={onOpen} />}
    </ManagedList>
  );
}

function EntryRow({ entry, onOpen }: { entry: AuditEntry; onOpen: (entry: AuditEntry) => void }) {
  const { action, actor, ip, object_name: name } = entry;
  const [words, at] = [actionText(action), momentText(entry.at)];
  return (
    <li className={styles.row} aria-label={`${words} ${name}`}>
      <div className={styles.about}>
        <div className={styles.head}>
          <strong>{words}</strong>
          <bdi>{name}</bdi>
        </div>
        <div className={styles.facts}>
          <span>{at}</span>
          <bdi>{actor === '' ? auditText.service : actor}</bdi>
          {ip !== '' && <Mono>{ip}</Mono>}
        </div>
      </div>
      <Button aria-label={auditText.detailsLabel(words, at)} onClick={() => onOpen(entry)}>
        {auditText.details}
      </Button>
    </li>
  );
}
