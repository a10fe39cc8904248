CREATE TABLE `ad_views` (
	`network` integer NOT NULL,
	`splash` text NOT NULL,
	`day` integer NOT NULL,
	`shown` integer DEFAULT 0 NOT NULL,
	`watched` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`network`, `splash`, `day`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `portal_files` (
	`id` text PRIMARY KEY NOT NULL,
	`network` integer NOT NULL,
	`sort` text NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`data` blob NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `portal_files_network` ON `portal_files` (`network`);--> statement-breakpoint
CREATE TABLE `portal_page_files` (
	`file` text NOT NULL,
	`path` text NOT NULL,
	`type` text NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`file`, `path`),
	FOREIGN KEY (`file`) REFERENCES `portal_files`(`id`) ON UPDATE no action ON DELETE cascade
);
