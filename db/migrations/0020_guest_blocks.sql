CREATE TABLE `guest_blocks` (
	`network` integer NOT NULL,
	`mac` text NOT NULL,
	`until` integer,
	`note` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	PRIMARY KEY(`network`, `mac`),
	FOREIGN KEY (`network`) REFERENCES `networks`(`id`) ON UPDATE no action ON DELETE cascade
);
