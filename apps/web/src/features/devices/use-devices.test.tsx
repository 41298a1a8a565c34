import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { MappingCreate } from '@tongtu/contract';
import { afterEach, expect, test } from 'vitest';
import { ApiError } from '../../api/index.ts';
import { deviceOf, mappingOf } from '../../testing/device-fixtures.ts';
import { show } from '../../testing/show.tsx';
import { useCreateMapping } from './use-devices.ts';

afterEach(cleanup);

const create = 'POST /api/user/records/';
const port = { kind: 'tcp', prefix: null, custom_domain: null, target: '192.168.1.9:22', remark: '' } as const;
const old = mappingOf({ ...port, id: 3, port: 20_000 });
const body: MappingCreate = { router: deviceOf().id, ...port, policy: old.policy, port: null };

function Form() {
  const { mutate, data, isError } = useCreateMapping([old]);
  return (
    <button onClick={() => mutate(body)}>
      {data?.id} {isError && 'failed'}
    </button>
  );
}

test.each([
  ['has made the mapping, finds it', true, 1],
  ['has made nothing, sends it again', false, 2],
])('a try after one without an answer that %s', async (_name, isMade, sent) => {
  const made = mappingOf({ ...port, id: 4, port: 20_001 });
  let present = [old];
  let tries = 0;
  const calls = show(<Form />, {
    'GET /api/user/routers/': () => ({ results: [deviceOf({ mappings: present })], next: null }),
    [create]: () => {
      if (++tries > 1) return made;
      if (isMade) present = [old, made];
      throw new ApiError({ type: 'network' });
    },
  });
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('failed');
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('4');
  await waitFor(() => expect(calls.filter(({ key }) => key === create)).toHaveLength(sent));
});

test('a form that was changed after a try without an answer is sent, not taken for the mapping that was made', async () => {
  const made = mappingOf({ ...port, id: 4, port: 20_001 });
  let present = [old];
  function ChangingForm() {
    const { mutate, data, isError } = useCreateMapping([old]);
    return (
      <button onClick={() => mutate(isError ? { ...body, closes_at: '2126-01-01T00:00:00.000Z' } : body)}>
        {data?.id} {isError && 'failed'}
      </button>
    );
  }
  show(<ChangingForm />, {
    'GET /api/user/routers/': () => ({ results: [deviceOf({ mappings: present })], next: null }),
    [create]: () => {
      if (present.length > 1) return mappingOf({ ...port, id: 5, port: 20_002 });
      present = [old, made];
      throw new ApiError({ type: 'network' });
    },
  });
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('failed');
  fireEvent.click(screen.getByRole('button'));
  await screen.findByText('5');
});
