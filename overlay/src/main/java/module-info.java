/** What frames of a render graph take, drawn over them as one of their passes. */
module io.frameloom.overlay {
    requires transitive io.frameloom.rdg;
    requires transitive org.lwjgl.nuklear;
    requires static transitive org.jspecify;

    exports io.frameloom.overlay;
}
