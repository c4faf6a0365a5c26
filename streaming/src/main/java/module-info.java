/** Textures that are in memory as fine as frames need them, from KTX2 files, under a budget. */
module io.frameloom.streaming {
    requires transitive io.frameloom.rdg;
    requires org.lwjgl.ktx;
    requires static transitive org.jspecify;

    exports io.frameloom.streaming;
}
