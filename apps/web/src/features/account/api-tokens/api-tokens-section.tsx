import { Button } from 'antd';
import type { ApiToken, Reply } from '@tongtu/contract';
import { useState } from 'react';
import { apiTokensText } from '../../../text/account/account.ts';
import { Loaded } from '../loaded.tsx';
import { SectionCard } from '../section-card.tsx';
import styles from '../account.module.css';
import { ApiTokenRow } from './api-token-row.tsx';
import { CreateApiTokenDialog } from './create-api-token-dialog.tsx';
import { ShownTokenDialog } from './shown-token-dialog.tsx';
import { useApiTokens } from './use-api-tokens.ts';

type Created = Reply<'POST /api/user/api_tokens/'>;

export function ApiTokensSection() {
  const apiTokens = useApiTokens();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  return (
    <SectionCard
      name="api-tokens"
      title={apiTokensText.title}
      intro={apiTokensText.intro}
      extra={
        <Button onClick={() => setIsCreating(true)} aria-label={apiTokensText.createTitle}>
          {apiTokensText.create}
        </Button>
      }
    >
      <Loaded query={apiTokens}>{(known) => <List apiTokens={known} />}</Loaded>
      {isCreating && <CreateApiTokenDialog onClose={() => setIsCreating(false)} onCreated={setCreated} />}
      {created && <ShownTokenDialog created={created} onClose={() => setCreated(undefined)} />}
    </SectionCard>
  );
}

function List({ apiTokens }: { apiTokens: ApiToken[] }) {
  if (apiTokens.length === 0) return <p className={styles.empty}>{apiTokensText.empty}</p>;
  return apiTokens.map((apiToken) => <ApiTokenRow key={apiToken.id} apiToken={apiToken} />);
}
