CREATE TABLE `guest_accounts` (
	`guest` integer PRIMARY KEY NOT NULL,
	`organization` integer NOT NULL,
	`network` integer NOT NULL,
	`radius` text NOT NULL,
	`session` text NOT NULL,
	`name` text NOT NULL,
	`classes` text NOT NULL,
	`mac` text NOT NULL,
	`address` text NOT NULL,
	`bytes` integer DEFAULT 0 NOT NULL,
	`started` integer NOT NULL,
	`told` integer,
	`ended` integer,
	`why` text DEFAULT '' NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `guest_accounts_due` ON `guest_accounts` (`due_at`);