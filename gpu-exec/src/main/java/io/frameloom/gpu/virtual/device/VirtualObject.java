package io.frameloom.gpu.virtual.device;

/** Something on a virtual device that an application owns and closes; what it leaves open is closed with the device. */
interface VirtualObject {
    String name();

    void close();
}
