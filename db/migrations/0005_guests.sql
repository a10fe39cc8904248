CREATE TABLE `guests` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`device` integer,
	`lan` text NOT NULL,
	`lan_name` text NOT NULL,
	`mac` text NOT NULL,
	`address` text DEFAULT '' NOT NULL,
	`method` integer NOT NULL,
	`voucher` integer,
	`label` text DEFAULT '' NOT NULL,
	`token` text,
	`started` integer NOT NULL,
	`ends` integer NOT NULL,
	`idle_seconds` integer NOT NULL,
	`byte_limit` integer,
	`download_kbps` integer,
	`upload_kbps` integer,
	`bytes` integer DEFAULT 0 NOT NULL,
	`readings` text DEFAULT '{}' NOT NULL,
	`active_at` integer NOT NULL,
	`counted_at` integer NOT NULL,
	`state` integer NOT NULL,
	`ended` integer,
	`why` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`organization`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `guests_network` ON `guests` (`network`,`started`);--> statement-breakpoint
CREATE UNIQUE INDEX `guests_in` ON `guests` (`network`,`mac`) WHERE "guests"."ended" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `guests_token` ON `guests` (`token`);