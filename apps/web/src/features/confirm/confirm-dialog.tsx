import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { Button, Skeleton } from 'antd';
import type { ConfirmMethod } from '@tongtu/contract';
import { useState } from 'react';
import { errorText } from '../../api/index.ts';
import { confirmText } from '../../text/account/account.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { LoadFailure } from '../../ui/page/load-failure.tsx';
import styles from './confirm.module.css';
import { LogInAgain } from './log-in-again.tsx';
import { PasskeyProof } from './passkey-proof.tsx';
import { TypedProof } from './typed-proof.tsx';
import { useProofMethods } from './use-proof.ts';

const dialogWidthPx = 420;

type ConfirmDialogProps = { onConfirmed: () => void; onCancel: () => void };

/** Asks for one proof of identity, by the methods that the server allows. */
export function ConfirmDialog({ onConfirmed, onCancel }: ConfirmDialogProps) {
  return (
    <Dialog title={confirmText.title} width={dialogWidthPx} footer={null} onClose={onCancel}>
      <p className={styles.intro}>{confirmText.intro}</p>
      <ProofMethods onConfirmed={onConfirmed} />
    </Dialog>
  );
}

function ProofMethods({ onConfirmed }: { onConfirmed: () => void }) {
  const query = useProofMethods();
  const { data, error } = query;
  const [chosen, setChosen] = useState<ConfirmMethod>();
  if (data) {
    const methods = data.methods.filter((method) => method !== 'passkey' || browserSupportsWebAuthn());
    const method = chosen ?? methods[0];
    if (method === undefined) return <LogInAgain />;
    const others = methods.filter((other) => other !== method);
    return (
      <>
        {method === 'passkey' ? (
          <PasskeyProof onConfirmed={onConfirmed} />
        ) : (
          <TypedProof key={method} method={method} onConfirmed={onConfirmed} />
        )}
        {others.length > 0 && <OtherMethods methods={others} onChoose={setChosen} />}
      </>
    );
  }
  if (!error) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return <LoadFailure title={confirmText.loadFailed} text={errorText(error)} query={query} />;
}

type OtherMethodsProps = { methods: ConfirmMethod[]; onChoose: (method: ConfirmMethod) => void };

function OtherMethods({ methods, onChoose }: OtherMethodsProps) {
  return (
    <div className={styles.others} role="group" aria-label={confirmText.otherMethods}>
      <span className={styles.othersWord}>{confirmText.otherMethods}</span>
      {methods.map((method) => (
        <Button key={method} type="link" size="small" onClick={() => onChoose(method)}>
          {confirmText.method[method]}
        </Button>
      ))}
    </div>
  );
}
