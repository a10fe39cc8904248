CREATE TABLE `radius_sessions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`network` integer NOT NULL,
	`key` text NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`mac` text DEFAULT '' NOT NULL,
	`nas` text NOT NULL,
	`called` text DEFAULT '' NOT NULL,
	`started` integer NOT NULL,
	`seen` integer NOT NULL,
	`ended` integer,
	`in_bytes` integer DEFAULT 0 NOT NULL,
	`out_bytes` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `radius_sessions_key` ON `radius_sessions` (`network`,`key`);--> statement-breakpoint
CREATE INDEX `radius_sessions_started` ON `radius_sessions` (`network`,`started`);--> statement-breakpoint
CREATE INDEX `radius_sessions_mac` ON `radius_sessions` (`network`,`mac`,`started`);