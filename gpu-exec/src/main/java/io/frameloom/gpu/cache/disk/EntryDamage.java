package io.frameloom.gpu.cache.disk;

/** Why a file is not taken for a program. */
public enum EntryDamage {
    /** A link, a folder or a device stands where the file should be. */
    NOT_A_FILE("is no regular file"),
    /** The file system refuses to give it. */
    UNREADABLE("cannot be read"),
    /** Larger than any program. */
    TOO_LARGE("is larger than a program may be"),
    /** Shorter than a header and a checksum. */
    TOO_SHORT("is too short for a program"),
    /** It does not begin as a program does. */
    NO_PROGRAM("does not begin like a program"),
    /** Written by another version of the format. */
    OTHER_SCHEMA("has another version of the format"),
    /** The checksum of the header is wrong. */
    HEADER_CHECKSUM("has a damaged header"),
    /** The header promises another length. */
    WRONG_LENGTH("has another length than its header says"),
    /** The SHA-256 of the whole is wrong. */
    CHECKSUM("has another checksum than it carries"),
    /** A whole and sound program, but another one. */
    WRONG_KEY("holds another program than its name says"),
    /** A whole and sound program for another device or compiler. */
    WRONG_COMPATIBILITY("was made for another device or compiler");

    private final String words;

    EntryDamage(String words) {
        this.words = words;
    }

    /** Says it after the name of the file. */
    public String words() {
        return words;
    }
}
