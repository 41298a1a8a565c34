import { ArrowUpOutlined, HomeOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { filesText, shownName } from '../../../text/cloud-apps/files.ts';
import styles from './files.module.css';
import { crumbsOf } from './folder-path.ts';
import { useFileNames } from './use-file-names.ts';
import { folderSearch } from './use-folder.ts';

type PathBarProps = { path: string; isLoading: boolean; onUp: () => void; onRefresh: () => void };

/** Where the shown folder is. Each part is a link, so that it can also be opened in a new tab. */
export function PathBar({ path, isLoading, onUp, onRefresh }: PathBarProps) {
  const list = useRef<HTMLOListElement>(null);
  const names = useFileNames();
  const crumbs = crumbsOf(path);
  // Of a long path the end is what matters.
  useEffect(() => {
    const showEnd = () => {
      if (list.current) list.current.scrollLeft = list.current.scrollWidth;
    };
    showEnd();
    window.addEventListener('resize', showEnd);
    return () => window.removeEventListener('resize', showEnd);
  }, [path]);
  return (
    <nav className={styles.path} aria-label={filesText.place}>
      <Button
        type="text"
        size="small"
        icon={<ArrowUpOutlined />}
        disabled={path === '/'}
        onClick={onUp}
        aria-label={filesText.up}
        title={filesText.up}
      />
      <ol ref={list} className={styles.crumbs}>
        <li>
          <Link to={folderSearch('/')} aria-label={filesText.root} title={filesText.root}>
            <HomeOutlined aria-hidden />
          </Link>
        </li>
        {crumbs.map((crumb, index) => (
          <li key={crumb.path}>
            <Link to={folderSearch(crumb.path)} aria-current={index === crumbs.length - 1 ? 'page' : undefined}>
              <bdi>{shownName(names.textOf(crumb.path))}</bdi>
            </Link>
          </li>
        ))}
      </ol>
      <Button
        type="text"
        size="small"
        icon={<ReloadOutlined spin={isLoading} />}
        onClick={onRefresh}
        aria-label={filesText.refresh}
        title={filesText.refresh}
      />
    </nav>
  );
}
