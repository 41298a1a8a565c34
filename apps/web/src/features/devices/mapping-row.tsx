import { ArrowRightOutlined, GlobalOutlined, LockOutlined } from '@ant-design/icons';
import type { Mapping } from '@tongtu/contract';
import { useEffect, useRef } from 'react';
import { mappingText } from '../../text/devices.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Mono } from '../../ui/mono.tsx';
import { StateTag } from '../../ui/state-tag.tsx';
import { MappingActions, type MappingActionsProps } from './mapping-actions.tsx';
import styles from './mapping-row.module.css';

type MappingRowProps = MappingActionsProps & { isHighlighted: boolean };

function PolicyTag({ policy }: Pick<Mapping, 'policy'>) {
  return (
    <span className={`${styles.policy} ${policy === 'public' ? styles.public : ''}`}>
      {policy === 'public' ? <GlobalOutlined aria-hidden /> : <LockOutlined aria-hidden />}
      {mappingText.policy[policy]}
    </span>
  );
}

export function MappingRow({ device, mapping, isHighlighted, onOpen }: MappingRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isHighlighted) row.current?.scrollIntoView({ block: 'center' });
  }, [isHighlighted]);

  const isOff = !mapping.enabled || device.state === 'disabled';
  return (
    <li
      ref={row}
      className={`${styles.row} ${isHighlighted ? styles.highlighted : ''} ${isOff ? styles.off : ''}`}
      data-mapping={mapping.domain}
    >
      <div className={styles.address}>
        <span className={styles.line}>
          <a href={mapping.url} target="_blank" rel="noopener noreferrer" className={styles.link}>
            <Mono>{mapping.url.replace(/\/$/, '')}</Mono>
          </a>
          <CopyButton text={mapping.url} label={mappingText.address} />
        </span>
        {(isOff || mapping.remark !== '') && (
          <span className={styles.line}>
            {isOff && (
              <StateTag tone="muted">{mapping.enabled ? mappingText.deviceDisabled : mappingText.disabled}</StateTag>
            )}
            <span className={styles.remark}>{mapping.remark}</span>
          </span>
        )}
      </div>
      <div className={styles.target}>
        <ArrowRightOutlined aria-hidden className={styles.arrow ?? ''} />
        <Mono>{mapping.target}</Mono>
      </div>
      <PolicyTag policy={mapping.policy} />
      <MappingActions device={device} mapping={mapping} onOpen={onOpen} />
    </li>
  );
}
