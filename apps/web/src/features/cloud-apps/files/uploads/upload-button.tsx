import { UploadOutlined } from '@ant-design/icons';
import { useRef } from 'react';
import { uploadsText } from '../../../../text/cloud-apps/file-uploads.ts';
import { MenuButton } from '../../../../ui/menu/menu-button.tsx';

const input = { type: 'file', multiple: true, hidden: true, tabIndex: -1 } as const;
/** Its attribute is not in React's types. */
const folderInput = { ...input, webkitdirectory: '' };

/** Chooses local files, or a folder, of which browsers leave out the empty folders. */
export function UploadButton({ onChosen }: { onChosen: (files: readonly File[]) => void }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  function take(element: HTMLInputElement) {
    if (element.files) onChosen([...element.files]);
    // The same file can be chosen again.
    element.value = '';
  }
  return (
    <>
      <MenuButton
        type="primary"
        size="small"
        icon={<UploadOutlined />}
        entries={[
          { key: 'files', label: uploadsText.files, onSelect: () => files.current?.click() },
          { key: 'folder', label: uploadsText.folder, onSelect: () => folder.current?.click() },
        ]}
      >
        {uploadsText.upload}
      </MenuButton>
      <input {...input} ref={files} aria-label={uploadsText.files} onChange={(event) => take(event.currentTarget)} />
      <input
        {...folderInput}
        ref={folder}
        aria-label={uploadsText.folder}
        onChange={(event) => take(event.currentTarget)}
      />
    </>
  );
}
