/** Devices, queues, memory and shaders on Vulkan 1.3, and the virtual GPU. */
module io.frameloom.gpu {
    requires transitive io.frameloom.taskgraph;
    requires org.lwjgl;
    requires org.lwjgl.shaderc;
    requires org.lwjgl.spvc;
    requires org.lwjgl.vma;
    requires org.lwjgl.vulkan;
    requires static org.jspecify;
}
